require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'own_api',
  docs: <<-DOC,
    newparam(:no)
  DOC
  features: ['simple_get_filter'],
  title_patterns: [
    {
      pattern: %r{^(?<package>.*[^-])-(?<manager>.*)$},
      desc: 'Where both are given.',
    },
    { pattern: %r{^(?<package>.*)$}, desc: 'Only the package.' },
  ],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it is there.', default: 'present' },
    package: { type: 'String', desc: 'The package.', behaviour: :namevar },
    'manager': { type: 'String', desc: 'The manager.', behavior: :namevar },
    :source => { :type => 'Optional[String]', :desc => 'Where from.', :behaviour => :parameter },
    version: { type: 'Optional[String]', desc: 'Which.' },
    size: { type: 'Optional[Integer]', desc: 'How big.', behaviour: :read_only },
    origin: { type: 'Optional[String]', desc: 'From the start.', behaviour: :init_only },
  },
)
