# Prints a line for each type of resources that Puppet or a module on MODULEPATH (the argument) has:
# its name, its key attributes, which of `isomorphic`, `refresh` and `self_refresh` hold, and the types
# that it relates to by itself, as `autorequire:user`.
require 'puppet'
Puppet.initialize_settings(['--confdir', '/nonexistent', '--vardir', '/nonexistent'])
libs = ARGV[0].split(':').flat_map { |path| Dir["#{path}/*/lib"] }.sort
$LOAD_PATH.concat(libs)
own = Dir["#{File.dirname($LOADED_FEATURES.grep(%r{/puppet/type\.rb\z})[0])}/type/*.rb"]
files = own + libs.flat_map { |lib| Dir["#{lib}/puppet/type/*.rb"] }
files.map { |file| File.basename(file, '.rb') }.uniq.sort.each do |name|
  begin
    type = Puppet::Type.type(name.to_sym)
    next if type.nil?
    words = []
    words << 'isomorphic' if type.isomorphic?
    words << 'refresh' if type.method_defined?(:refresh)
    words << 'self_refresh' if type.self_refresh
    %w[autorequire autosubscribe autobefore autonotify].each do |kind|
      type.send("each#{kind}") { |other, _| words << "#{kind}:#{other.to_s.downcase}" }
    end
    puts "#{name} [#{type.key_attributes.join(' ')}] #{words.join(' ')}".rstrip
  rescue StandardError, LoadError => e
    warn "#{name}: #{e.class}: #{e.message[0, 100]}"
  end
end
