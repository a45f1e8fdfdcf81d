"""The screens Findings, Source and Report: what their keys do, and how they lead to each other."""

from pathlib import Path

from tests.conftest import ROOT
from tests.tui.dsl import script

REPORT = "tests/apply/report/recorded/second.yaml"


def test_findings_lead_to_source_and_graph() -> None:
    script("""
        open sample_catalogs/collector_chain_cycle
        press 3
        expect text 1 error
        expect text 1 warning
        expect row CG301
        expect text Exec[import key of vendor] requires Package[gnupg]
        press enter
        expect screen source
        expect row Pkgrepo::Source <| |> -> Package <| |>
        press 3 g
        expect screen graph
    """)


def test_a_fix_is_tried_and_shown_with_the_order_that_it_costs() -> None:
    script("""
        open sample_catalogs/require_loop
        press 3
        wait 0.4
        expect text -    require => File['/etc/app/app.conf'],
        expect text order lost
        expect text File[/etc/app/app.conf] before Package[app]
        press y
        expect clipboard -    require => File['/etc/app/app.conf'],
    """)


def test_findings_are_ordered_by_gravity_or_by_file() -> None:
    script("""
        open sample_catalogs/user_group_chain
        press 3
        expect text gravest first
        expect row ▲
        press o
        expect text by file
        press r
        expect row CG102
    """)


def test_the_source_shows_the_selection_and_selects_what_the_line_declares() -> None:
    script("""
        open sample healthy_web_stack
        press 4
        expect row group { 'shop':
        press n
        expect row group { 'deploy':
        expect selection Group[deploy]
        press down
        expect selection Group[deploy]
        press N N
        expect selection Group[shop]
        press enter
        expect screen graph
        expect cell Group[shop]
    """)


def test_a_line_that_declares_several_gives_each_of_them() -> None:
    script("""
        open sample layered_20x7
        press 4
        expect selection Notify[step 0 part 0]
        expect row notify { "step ${step} part ${number}":
        press o
        expect selection Notify[step 0 part 1]
        expect text ... and 137 more
    """)


def test_the_list_of_files_is_shown_and_hidden() -> None:
    script("""
        open sample healthy_web_stack
        press 4
        expect text …s/database/manifests/init.pp
        press f
        expect no …s/database/manifests/init.pp
        press f home
        expect focus files
        expect text class database
        press enter
        expect focus lines
    """)


def test_a_catalog_without_manifests_says_so(tmp_path: Path) -> None:
    text = (ROOT / "sample_catalogs/require_loop/catalog.json").read_text(encoding="utf-8")
    (tmp_path / "deep" / "er" / "still" / "on").mkdir(parents=True)
    (tmp_path / "deep/er/still/on/only.json").write_text(text.replace("site.pp", "gone.pp"))
    script(
        """
        open deep/er/still/on/only.json
        press 4
        expect text manifests/gone.pp: the manifest is not on this machine.
        expect text Looked for:
    """,
        tmp_path,
    )


def test_a_simulated_run_is_summed_up_as_far_as_it_went() -> None:
    script("""
        open sample healthy_web_stack
        press s s s 5
        expect text simulated run, step 3
        expect text 3 resources changed
        expect text Group[shop]  created
        expect text not reached yet
        press n n
        expect row critical chain
        press N
        expect row log
        press home down
        expect selection Group[shop]
        press g
        expect screen graph
        press 5 enter
        expect screen run
    """)


def test_a_run_that_cannot_begin_says_why() -> None:
    script("""
        open sample require_loop
        press 5
        expect text One or more resource dependency cycles detected in graph
        expect text 3 failed
        expect text Found 1 dependency cycle:
    """)


def test_a_real_report_is_replayed() -> None:
    """What `tests/apply/report/recorded/second.yaml` says; Puppet 7.23 wrote it."""
    script(f"""
        open {REPORT}
        press 5
        expect text failed
        expect text Exec[broken]  change from 'notrun' to ['0'] failed
        expect text Notify[after broken]  Dependency Exec[broken] has failures: true
        expect text slowest resources
        expect text Exec[slow]
        press down
        expect selection Exec[broken]
    """)
