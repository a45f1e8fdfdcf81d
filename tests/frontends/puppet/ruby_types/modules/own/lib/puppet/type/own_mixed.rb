require 'puppet_x/own/with_hook'
require_relative '../../puppet_x/own/declares'
require File.expand_path(File.join(File.dirname(__FILE__), '..', '..', 'puppet_x', 'own', 'gives'))

Puppet::Type.newtype(:own_mixed) do
  include PuppetX::Own::WithHook
  extend PuppetX::Own::Declares
  include Puppet::Util::Logging

  declare_both :left, 'right'
  PuppetX::Own::Gives.give(self, %w[given])
  PuppetX::Own::Gives::NAMES.each { |name| newproperty(name) }
end
