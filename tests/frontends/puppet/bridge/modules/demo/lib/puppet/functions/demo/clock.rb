# A value that differs from run to run.
Puppet::Functions.create_function(:'demo::clock') do
  def clock
    Time.now.to_s
  end
end
