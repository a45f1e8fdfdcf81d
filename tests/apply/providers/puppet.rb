# Applies cases with the installed Puppet, each in an overlay of this machine that is thrown away.
#
# JSON lines in: {"setup": shell text, "code": manifest, "runs": number, "noop": bool,
# "settings": {}, "modules": path, "files": {path: text}, "look": [paths]}.
# JSON lines out: {"runs": [{"log": [[level, source, message]], "tree": [lines]}]}.
# To be started in a mount namespace of its own (unshare -m).
require 'json'
require 'puppet'
require 'puppet/util/log'

# The log's destination for what an object takes.
Puppet::Util::Log.newdesttype :lines do
  match 'Lines'

  def initialize(lines)
    @lines = lines
  end

  def handle(message)
    @lines << message
  end
end

BASE = ARGV[0]

def overlay
  %w[upper work root].each { |name| Dir.mkdir(File.join(BASE, name)) unless Dir.exist?(File.join(BASE, name)) }
end

def mount
  system('mount', '-t', 'tmpfs', 'tmpfs', BASE) or raise 'no tmpfs'
  overlay
  options = "lowerdir=/,upperdir=#{BASE}/upper,workdir=#{BASE}/work"
  system('mount', '-t', 'overlay', 'overlay', '-o', options, "#{BASE}/root") or raise 'no overlay'
  system('mount', '-t', 'tmpfs', 'tmpfs', "#{BASE}/root/srv")
  system('mount', '-t', 'tmpfs', 'tmpfs', "#{BASE}/root/home")
  FileUtils.mkdir("#{BASE}/root/home/ann")
  FileUtils.chown(1000, 1000, "#{BASE}/root/home/ann")
  system('mount', '-t', 'proc', 'proc', "#{BASE}/root/proc")
  File.write("#{BASE}/comm", "systemd\n")
  system('mount', '--bind', "#{BASE}/comm", "#{BASE}/root/proc/1/comm")
  system('mount', '--bind', '/dev', "#{BASE}/root/dev")
end

def unmount
  %w[root/dev root/proc/1/comm root/proc root/srv root/home root].each { |name| system('umount', '-l', File.join(BASE, name)) }
  system('umount', '-l', BASE)
end

# Says what there is at and below a path.
def things(path)
  stat = File.lstat(path)
  what = case stat.ftype
         when 'file' then [File.binread(path)].pack('m0')
         when 'link' then "-> #{File.readlink(path)}"
         else stat.ftype
         end
  mode = stat.symlink? ? 'link' : format('%04o', stat.mode & 0o7777)
  here = { 'path' => path, 'mode' => mode, 'owner' => "#{stat.uid}:#{stat.gid}", 'kind' => stat.ftype, 'what' => what }
  below = stat.directory? ? Dir.children(path).sort.flat_map { |name| things("#{path}/#{name}") } : []
  [here] + below
rescue Errno::ENOENT
  []
end

def tree(paths)
  paths.flat_map { |path| things(path) }
end

LEVELS = %i[info notice warning err alert crit emerg].freeze

# Takes the lines of the log as the transaction makes them.
class Lines
  attr_reader :taken

  def initialize
    @taken = []
  end

  def <<(line)
    @taken << [line.level.to_s, line.source.to_s, line.message.to_s] if LEVELS.include?(line.level)
  end
end

def settings(question)
  arguments = %w[--confdir=/puppet/conf --vardir=/puppet/var --rundir=/puppet/run --environment=production]
  arguments += %w[--environmentpath=/puppet/environments --basemodulepath=/puppet/modules]
  arguments << '--noop' if question['noop']
  arguments << '--show_diff' if question['show_diff']
  Puppet.initialize_settings(arguments)
  Puppet[:default_file_terminus] = :file_server
  Puppet::Util::Log.level = :info
end

def compiled(question)
  environment = Puppet::Node::Environment.create(:production, ['/puppet/modules'])
  Puppet.push_context(current_environment: environment, environments: Puppet::Environments::Static.new(environment), loaders: Puppet::Pops::Loaders.new(environment))
  facts = Puppet::Node::Facts.new('vm', 'osfamily' => 'Debian', 'clientversion' => Puppet.version)
  node = Puppet::Node.new('vm', environment: environment, facts: facts)
  node.merge(facts.values)
  node.add_server_facts({})
  Puppet[:code] = question['code']
  Puppet::Parser::Compiler.compile(node)
end

def apply(question)
  lines = Lines.new
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    settings(question)
    Puppet::Util::Log.newdestination(lines)
    begin
      catalog = compiled(question).to_ral
      catalog.finalize
      Puppet.settings.use(:main, :reporting)
      Puppet::Util::Storage.load
      catalog.host_config = true
      catalog.apply
      Puppet::Util::Storage.store
    rescue StandardError => error
      Puppet.err(error.to_s)
    end
    writer.write(JSON.generate(lines.taken))
    writer.close
    exit! 0
  end
  writer.close
  text = reader.read
  Process.wait(pid)
  JSON.parse(text)
end

def answer(question)
  system({ 'LC_ALL' => 'C', 'PATH' => ENV.fetch('PATH') }, '/bin/sh', '-ec', question['setup']) or raise 'the setup fails'
  runs = (1..question['runs']).map do
    log = apply(question)
    { 'log' => log, 'tree' => tree(question['look']) }
  end
  { 'runs' => runs }
end

%w[kernel osfamily operatingsystem operatingsystemmajrelease].each { |name| Puppet.runtime[:facter].value(name) }
STDIN.each_line do |line|
  question = JSON.parse(line)
  mount
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    Dir.chroot("#{BASE}/root")
    Dir.chdir('/')
    File.umask(0o022)
    FileUtils.mkdir_p(%w[/puppet/modules /puppet/environments/production])
    question['modules'].each { |path| File.symlink(path, "/puppet/modules/#{File.basename(path)}") }
    question['files'].each do |path, text|
      File.write(path, text)
      File.chmod(path.include?('shadow') ? 0o640 : 0o644, path)
      File.chown(0, 0, path)
    end
    FileUtils.rm_rf(Dir.glob('/etc/skel/{*,.[a-z]*}'))
    File.chmod(0o755, '/home')
    begin
      writer.write(JSON.generate(answer(question)))
    rescue Exception => error
      writer.write(JSON.generate('error' => "#{error.class}: #{error.message} #{error.backtrace.first(3)}".scrub))
    end
    writer.close
    exit! 0
  end
  writer.close
  text = reader.read
  Process.wait(pid)
  unmount
  STDOUT.puts text
  STDOUT.flush
end
