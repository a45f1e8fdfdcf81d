"""fqdn_rand, with the numbers that Ruby's generator gives."""

from __future__ import annotations

import hashlib
import random
from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import class_name, inspect, to_i
from analyzer.frontends.puppet.functions.core.collections import joined
from analyzer.frontends.puppet.functions.registry import Call, legacy_function
from analyzer.model.values import Unknown

WORD = 32
WORD_MASK = 2**WORD - 1


def generator(seed: int) -> random.Random:
    """Return a Mersenne Twister in the state in which Ruby's begins."""
    seed = abs(seed)
    size = max((seed.bit_length() + WORD - 1) // WORD, 1)
    # Ruby takes a highest word of 1 for a guard of zeros, which is no part of the seed.
    if size > 1 and seed >> WORD * (size - 1) == 1:
        size -= 1
        seed &= 2 ** (WORD * size) - 1
    if size > 1:
        return seeded_by_words(seed, size)
    return seeded_by_number(seed)


def seeded_by_words(seed: int, size: int) -> random.Random:
    """Seed by an array of words, as Python does for large numbers."""
    if seed >> WORD * (size - 1):
        return random.Random(seed)
    state = twisted(19650218)
    words = [seed >> WORD * i & WORD_MASK for i in range(size)]
    i = j = 0
    i = 1
    for _ in range(max(624, size)):
        last = state[i - 1] ^ state[i - 1] >> 30
        state[i] = (state[i] ^ last * 1664525) + words[j] + j & WORD_MASK
        i, j = i + 1, (j + 1) % size
        if i >= 624:
            state[0], i = state[623], 1
    for _ in range(623):
        last = state[i - 1] ^ state[i - 1] >> 30
        state[i] = (state[i] ^ last * 1566083941) - i & WORD_MASK
        i += 1
        if i >= 624:
            state[0], i = state[623], 1
    state[0] = 0x80000000
    return with_state(state)


def seeded_by_number(seed: int) -> random.Random:
    """Seed by one word."""
    return with_state(twisted(seed))


def twisted(seed: int) -> list[int]:
    """Return the state that one word makes."""
    state = [seed]
    for i in range(1, 624):
        state.append(1812433253 * (state[-1] ^ state[-1] >> 30) + i & WORD_MASK)
    return state


def with_state(state: list[int]) -> random.Random:
    """Return a generator in a state, before its first number."""
    found = random.Random()
    found.setstate((3, (*state, 624), None))
    return found


def below(source: random.Random, limit: int) -> int:
    """Return a number from 0 on and less than a limit, as Ruby's rand does."""
    largest = limit - 1
    size = max((largest.bit_length() + WORD - 1) // WORD, 1)
    mask = 2 ** largest.bit_length() - 1
    while True:
        value = 0
        for i in reversed(range(size)):
            part = mask >> WORD * i & WORD_MASK
            if part:
                value |= (source.getrandbits(WORD) & part) << WORD * i
            if value > largest | 2 ** (WORD * i) - 1:
                break
        if value <= largest:
            return value


def deterministic(call: Call, seed: str, limit: int) -> int:
    """Return the number that a seed's MD5 digest leads to."""
    if limit <= 0:
        call.fail(f"invalid argument - {limit}")
    digest = hashlib.md5(seed.encode("utf-8", "surrogateescape"), usedforsecurity=False)
    return below(generator(int(digest.hexdigest(), 16)), limit)


@legacy_function("fqdn_rand", -2)
def fqdn_rand(call: Call, limit: object, seed: object = "", downcase: object = False) -> Any:
    """Return a number less than a limit that is always the same on a node."""
    name = fqdn(call)
    if isinstance(name, Unknown):
        return name
    largest = whole(call, limit)
    # Only undef, which is an empty text here, is as good as false.
    name = name.lower() if downcase is not False else name
    return deterministic(call, ":".join(joined([name, largest, seed], ":")), largest)


def fqdn(call: Call) -> Any:
    """Return the node's fact `networking.fqdn`."""
    facts = call.variable("facts")
    for name in ("networking", "fqdn"):
        if not isinstance(facts, dict):
            break
        facts = facts.get(name)
    return "" if facts is None else facts


def whole(call: Call, value: object) -> int:
    """Return a value as Ruby's to_i does."""
    if isinstance(value, str):
        return to_i(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return int(value)
    call.fail(f"undefined method `to_i' for {inspect(value)}:{class_name(value)}")
