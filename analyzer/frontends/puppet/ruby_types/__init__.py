"""Types of resources that modules have in Ruby, read from their files without running them."""

from analyzer.frontends.puppet.ruby_types.reader import RubyTypes
from analyzer.frontends.puppet.ruby_types.ruby_type import RubyType, TitlePattern

__all__ = ["RubyType", "RubyTypes", "TitlePattern"]
