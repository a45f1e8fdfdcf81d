require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'own_api_plain',
  desc: 'One key.',
  attributes: {
    id: { type: 'String', desc: 'The key.', behaviour: :namevar },
    enabled: { type: 'Boolean', desc: 'Whether.', default: true },
  },
)
