"""slice, step and reverse_each, and with, then and lest."""

from __future__ import annotations

from contextlib import suppress

from analyzer.frontends.puppet.evaluate.blocks import Block
from analyzer.frontends.puppet.evaluate.errors import BreakJump
from analyzer.frontends.puppet.functions.core.iterables import Series, series, typed
from analyzer.frontends.puppet.functions.core.iteration import block_of
from analyzer.frontends.puppet.functions.registry import Call, Depth, function
from analyzer.model.values import Value


@function(
    "slice",
    "Hash[Any, Any] $hash, Integer[1, default] $slice_size, &Optional[Callable] $block",
    "Iterable $enumerable, Integer[1, default] $slice_size, &Optional[Callable] $block",
    depth=Depth.ARGUMENTS,
)
def slice_(call: Call, value: object, size: int) -> Value:
    """Return the elements in arrays of a size, or call the block with so many at a time."""
    block = call.block
    wanted = parameters_of(call, block, size) if block is not None else 1
    filler: list[Value] | None = [] if isinstance(value, dict) else None
    slices = series(value).sliced(size)
    if block is None:
        return list(slices)
    with suppress(BreakJump):
        for one in slices:
            if wanted == 1:
                block.attempt(one)
            else:
                block.attempt(*one, *([filler] * (wanted - len(one))))
    return value


def parameters_of(call: Call, block: Block, size: int) -> int:
    """Return how many arguments the block gets: one, or as many as a slice has."""
    least, most = block.arity
    count = least if least == most else size
    if count == 0:
        call.fail("slice(): block must define at least one parameter. Block has 0.")
    if count not in (1, size):
        call.fail(
            "slice(): block must define one parameter, or the same number of parameters as the "
            f"given size of the slice ({size}). Block has {count}; {', '.join(block.names)}"
        )
    return count


@function("step", "Iterable $iterable, Integer[1] $step", depth=Depth.ARGUMENTS)
def step(call: Call, value: object, size: int) -> Series:
    """Return each first of so many elements, as an Iterator."""
    return stepped(call, typed(value), size)


@function(
    "step",
    "Iterable $iterable, Integer[1] $step, &Callable[1, 1] $block",
    depth=Depth.ARGUMENTS,
)
def step_block(call: Call, value: object, size: int) -> None:
    """Call the block with each first of so many elements."""
    run(call, stepped(call, series(value), size))


def stepped(call: Call, found: Series, size: int) -> Series:
    """Return each first of so many elements."""
    try:
        return found.step(size)
    except ValueError as error:
        call.fail(str(error))


@function("reverse_each", "Iterable $iterable", depth=Depth.ARGUMENTS)
def reverse_each(call: Call, value: object) -> Series:
    """Return the elements from the last on, as an Iterator."""
    return typed(value).reverse()


@function("reverse_each", "Iterable $iterable, &Callable[1, 1] $block", depth=Depth.ARGUMENTS)
def reverse_each_block(call: Call, value: object) -> None:
    """Call the block with each element from the last on."""
    run(call, series(value).reverse())


def run(call: Call, found: Series) -> None:
    """Call the block with each element."""
    block = block_of(call)
    with suppress(BreakJump):
        for one in found:
            block.attempt(one)


@function("with", "Any *$arg, &Callable $block", depth=Depth.NOWHERE)
def with_(call: Call, *values: object) -> Value:
    """Return the result of the block for the arguments."""
    return block_of(call)(*values)


@function("then", "Any $arg, &Callable[1, 1] $block", depth=Depth.ARGUMENTS)
def then(call: Call, value: object) -> Value:
    """Return the result of the block for a value that is not undef."""
    return None if value is None else block_of(call)(value)


@function("lest", "Any $arg, &Callable[0, 0] $block", depth=Depth.ARGUMENTS)
def lest(call: Call, value: object) -> Value:
    """Return a value, or what the block returns if that is undef."""
    return block_of(call)() if value is None else value
