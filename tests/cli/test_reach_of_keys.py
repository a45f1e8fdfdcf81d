"""Private keys of eyaml outside of the checkout are not used, wherever links lead."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run, run
from tests.cli.test_reach import Place, place

__all__ = ["place", "run"]

EYAML = Path(__file__).parents[1] / "frontends" / "puppet" / "hiera" / "eyaml"


def test_a_key_behind_a_link_is_not_used(run: Run, place: Place) -> None:
    """A change of the code may bring the link, and the machine may have the key."""
    sealed = (EYAML / "aes256.txt").read_text(encoding="ascii").strip()
    place.write(place.repo / "data" / "s.eyaml", f"key: ENC[PKCS7,{sealed}]\n")
    place.write(place.outside / "k.pem", (EYAML / "private_key.pkcs7.pem").read_text())
    place.link("keys", "")
    for path in (
        "keys/k.pem",
        place.repo / "keys/k.pem",
        "../outside/k.pem",
        place.outside / "k.pem",
    ):
        options = f"options:\n      pkcs7_private_key: '{path}'"
        place.hiera(f"lookup_key: eyaml_lookup_key\n    path: s.eyaml\n    {options}")
        for command in ("compile", "lint", "cycles"):
            done = run(command, ".")
            assert "secret value" not in done.out + done.err
        assert '"message": "secret value"' in run("compile", ".", "--allow-read", place.outside).out
