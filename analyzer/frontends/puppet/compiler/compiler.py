"""The compiler: runs the passes, in Puppet's order, that make a catalog of a node's inputs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from analyzer.frontends.puppet.compiler import gaps, parameters, passes
from analyzer.frontends.puppet.compiler.calls.data import HieraData
from analyzer.frontends.puppet.compiler.calls.dispatch import CATALOG_FUNCTIONS
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation, CompileInputs, Ruby
from analyzer.frontends.puppet.compiler.definitions.definition import Definition
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.evaluator import Evaluator
from analyzer.frontends.puppet.compiler.recovery import RecordingErrors
from analyzer.frontends.puppet.evaluate.errors import BodyJump, EvaluationError, Unit
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.types.mismatches.assertions import assert_assignable
from analyzer.frontends.puppet.types.model.catalog import RuntimeType
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.problems import TypeProblem


class Compiler:
    """Compiles for one node.

    `exports` are the resources that other nodes export. `ruby` makes the bridge to Ruby for a
    compilation; without it nothing that is written in Ruby is evaluated.
    """

    def __init__(
        self,
        definitions: DefinitionTable,
        inputs: CompileInputs,
        exports: Exports | None = None,
        ruby: Callable[[Compilation], Ruby] | None = None,
    ) -> None:
        # Whether there is a catalog in spite of errors.
        self.may_go_on = False
        self.compilation = Evaluator(definitions, inputs, CATALOG_FUNCTIONS)
        self.compilation.data = HieraData(self.compilation)
        if exports is not None:
            self.compilation.search_exports = partial(exports.search, node=inputs.node)
        if ruby is not None:
            self.compilation.ruby = ruby(self.compilation)

    def compile(self) -> Compilation:
        """Run the passes; after an error too, unless the compile is strict.

        What the checks find after an error may be a consequence, and is dropped.

        Raises:
            EvaluationError: the program cannot be compiled for this node.
        """
        compilation = self.compilation
        errors, kept = compilation.recorded_errors.errors, None
        try:
            self.check_definitions()
            for run in passes.PASSES:
                if errors and run is passes.CHECKS[0]:
                    if compilation.inputs.strict:
                        break
                    kept = len(errors)
                    gaps.errors_left_out(compilation)
                with RecordingErrors(compilation):
                    run(compilation)
        except BodyJump as jump:
            errors.append(jump.illegal())
        except RecursionError:
            if not errors:
                raise
        if errors:
            self.may_go_on = not compilation.inputs.strict
            if self.may_go_on and kept is None:
                gaps.errors_left_out(compilation)
            first, *first.more = errors[:kept]
            raise first
        return compilation

    def check_definitions(self) -> None:
        """Check what the manifests define before anything of them is evaluated."""
        definitions = self.compilation.definitions
        for error in (*definitions.unparsed, *definitions.redefined):
            self.compilation.recover(error, None, None)
        self.compilation.definitions.begin(self.check_types)
        for mapping, unit in self.compilation.definitions.mappings:
            with RecordingErrors(self.compilation):
                self.check_mapping(mapping, unit)

    def check_types(self, definition: Definition) -> None:
        """Evaluate the types of a definition's parameters, as Puppet does when it is loaded."""
        if not any(parameter.type for parameter in definition.parameters):
            return
        with RecordingErrors(self.compilation, definition.unit, definition.node):
            parameters.types_of(self.compilation, definition, self.compilation.top)

    def check_mapping(self, node: a.TypeMapping, unit: Unit) -> None:
        """Check that a type mapping is for a type of Ruby.

        Raises:
            EvaluationError: it is for another type, or for none.
        """
        try:
            found = parse_type(node.type_expr, self.compilation.resolve, unit.text)
            assert_assignable("First argument of type mapping", RuntimeType("ruby"), found)
        except TypeProblem as problem:
            raise EvaluationError(str(problem), unit, node) from None
