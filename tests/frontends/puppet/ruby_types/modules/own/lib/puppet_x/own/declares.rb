module PuppetX; end
module PuppetX::Own
  module Declares
    def declare_both(one, other)
      newparam(one)
      newproperty(other)
    end
  end
end
