"""Types of resources that modules define in Ruby, read from their files without running them.

Read `reader.py` first: it finds the files. Below is a small evaluator of Ruby in layers: `tokens`,
`nesting`, `values`, `scope`, `literals`, `expressions`, `statements`, `calls`. On it stand
`attributes` and `declarations` (the body of `newtype`), `resource_api`, `relations` (blocks such as
`autorequire`, evaluated for a resource) and `world` (all files that were read). A construct that is
not understood makes the type `open`: its parameters are not checked. `generated` reads the files of
`puppet generate types`.
"""

from analyzer.frontends.puppet.ruby_types.reader import RubyTypes
from analyzer.frontends.puppet.ruby_types.ruby_type import RubyType, TitlePattern

__all__ = ["RubyType", "RubyTypes", "TitlePattern"]
