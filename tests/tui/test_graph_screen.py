"""Walking through the graph, and round its cycles."""

from tests.tui.dsl import script

BIG, SMALL = (120, 40), (80, 24)


def test_the_selection_stands_in_the_middle_and_neighbours_are_gone_to() -> None:
    script("""
        open sample healthy_web_stack
        press 2
        expect screen graph
        expect selection Group[shop]
        expect cell Group[shop]
        press right
        expect cell Class[Database]
        expect text Group[shop] ──▶ Class[Database]
        expect text through Class[Shop::Accounts]
        press up
        expect cell User[shop]
        expect text autorequire
        press enter
        expect selection User[shop]
        expect cell User[shop]
        press left enter
        expect selection Group[shop]
        press minus
        expect selection User[shop]
        press equals_sign
        expect selection Group[shop]
    """)


def test_what_contains_the_focus_and_what_it_contains_can_be_gone_to() -> None:
    script("""
        open sample healthy_web_stack
        press 2 up
        expect cell Class[Shop::Accounts]
        expect text Class[Shop::Accounts] contains Group[shop]
        press enter
        expect selection Class[Shop::Accounts]
        press down enter
        expect selection Group[shop]
    """)


def test_folds_open_and_close() -> None:
    script("""
        open sample layered_20x7
        press 2 right
        expect text Notify \N{MULTIPLICATION SIGN} 20
        expect text folded; space opens
        press space
        expect text Notify[step 1 part 19]
        expect no folded; space opens
        press end
        expect cell Notify[step 1 part 19]
        press space
        expect no Notify[step 1 part 19]
        press enter
        expect text Notify[step 1 part 19]
    """)


def test_more_and_fewer_columns() -> None:
    script("""
        open sample healthy_web_stack
        press 2
        expect no Service[nginx]
        press >
        press >
        expect text Class[Webserver]
        press < <
        expect no Class[Webserver]
    """)


def test_a_cycle_is_walked_to_its_cut() -> None:
    """The cut of the sample is the site's collector chain: line 2 of its site.pp."""
    script("""
        open sample_catalogs/collector_chain_cycle
        press 2 c
        expect focus walk
        expect text Cycle: 5 members
        expect text edge 1 of 3: Exec[import key of vendor] requires Package[gnupg]
        expect text modules/pkgrepo/manifests/source.pp:10
        press n
        expect text edge 2 of 3: Pkgrepo::Source[vendor] contains Exec[import key of vendor]
        press N x
        expect text edge 3 of 3: Pkgrepo::Source[vendor] is before Package[gnupg]
        expect text ▸  2 Pkgrepo::Source <| |> -> Package <| |>
        expect text to break it, remove 1 statement:
        expect text manifests/site.pp:2: Pkgrepo::Source[vendor] -> Package[gnupg]
        expect text Pkgrepo::Source[vendor] before Package[gnupg]
        press n
        expect text edge 1 of 3
        press y
        expect clipboard | `Pkgrepo::Source[vendor] => Package[gnupg]` | -> | `
        press C
        expect told there is no other cycle
        press x enter
        expect selection Pkgrepo::Source[vendor]
        press c
        expect focus around
        expect cell Pkgrepo::Source[vendor]
    """)


def test_a_walk_begins_at_the_selection() -> None:
    script("""
        open sample require_loop
        press 2
        expect selection Package[app]
        press c down down
        expect text edge 2 of 3
        press enter
        expect selection Exec[generate secrets]
        press c c
        expect text edge 2 of 3
    """)


def test_the_knot_of_a_hundred_is_walked() -> None:
    script(
        """
        open sample layered_20x7
        press 2 c
        expect text Cycle: 102 members
        press x
        expect text edge 7 of 7
        expect text 95 more members of the knot
    """,
        size=SMALL,
    )


def test_without_a_cycle_there_is_no_walk() -> None:
    script("""
        open sample healthy_web_stack
        press 2 c
        expect told there is no dependency cycle
        expect focus around
    """)
