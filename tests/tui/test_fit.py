"""Texts cut and broken to columns, whatever letters they have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.escape import escape_of
from tui.present.fit import (
    clean,
    crop,
    cut,
    cut_middle,
    cut_path,
    cut_start,
    length,
    padded,
    shorten,
    width,
    wrapped,
)
from tui.present.pieces import Piece, plain

TEXTS = st.text(max_size=40) | st.text("ab/雪é[]\n\x1b", max_size=40)
ROOMS = st.integers(0, 30)


@given(TEXTS, ROOMS)
def test_nothing_is_wider_than_its_room(text: str, room: int) -> None:
    for fit in (cut, cut_start, cut_middle, cut_path, shorten):
        assert width(fit(text, room)) <= room
    assert width(padded(text, room)) == room


@given(TEXTS, ROOMS)
def test_what_fits_stays_as_it_is(text: str, room: int) -> None:
    if width(clean(text)) <= room:
        assert {fit(text, room) for fit in (cut, cut_start, cut_middle, cut_path, shorten)} == {
            clean(text)
        }


@given(TEXTS)
def test_nothing_steers_the_terminal(text: str) -> None:
    assert all(char.isprintable() for char in clean(text))
    assert clean(text) == "".join(c if c.isprintable() else escape_of(c) for c in text)


@given(TEXTS, st.integers(2, 30))
def test_broken_lines_have_the_whole_text(text: str, room: int) -> None:
    shown = clean(text)
    lines = wrapped(shown, room)
    assert "".join(lines).replace(" ", "") == shown.replace(" ", "")
    assert all(width(line) <= room for line in lines)


@given(st.lists(TEXTS, max_size=4), ROOMS, ROOMS)
def test_a_crop_is_a_window(texts: list[str], start: int, room: int) -> None:
    line = tuple(Piece(clean(text)) for text in texts)
    found = crop(line, start, room)
    assert length(found) == min(room, max(0, length(line) - start))
    if plain(line).isascii():
        assert plain(found) == plain(line)[start : start + room]


@pytest.mark.parametrize(
    ("ref", "room", "expected"),
    [
        ("File[/etc/app/app.conf]", 23, "File[/etc/app/app.conf]"),
        ("File[/etc/app/app.conf]", 18, "File[…pp/app.conf]"),
        ("Webserver::Site[www.example.com]", 20, "Webser….example.com]"),
    ],
)
def test_references_keep_what_tells_most(ref: str, room: int, expected: str) -> None:
    assert shorten(ref, room) == expected


@pytest.mark.parametrize(
    ("room", "expected"),
    [
        (24, "modules/app/manifests.pp"),
        (20, "…/app/manifests.pp"),
        (17, "…/manifests.pp"),
        (9, "…fests.pp"),
    ],
)
def test_paths_are_cut_between_folders(room: int, expected: str) -> None:
    assert cut_path("modules/app/manifests.pp", room) == expected
