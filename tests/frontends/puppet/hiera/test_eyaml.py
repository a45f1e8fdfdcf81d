"""Values of hiera-eyaml are decrypted where the private key is there, else they are Unknown.

The keys and blocks below `eyaml/` were made with openssl; Ruby's OpenSSL opens them alike.
"""

from __future__ import annotations

import base64
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from analyzer.frontends.puppet.hiera.sources.pkcs7 import (
    ENVELOPED,
    OtherCipher,
    SealError,
    load_key,
    unseal,
)
from analyzer.model.values import Unknown
from tests.frontends.puppet.hiera import api as hiera

from .test_unknown import make

HERE = Path(__file__).parent / "eyaml"
KEY, OTHER = HERE / "private_key.pkcs7.pem", HERE / "other_key.pkcs7.pem"
CONFIG = """version: 5
hierarchy:
  - {{name: secret, lookup_key: eyaml_lookup_key, path: secret.eyaml, options: {}}}
"""


def block(name: str) -> str:
    return (HERE / f"{name}.txt").read_text(encoding="ascii").strip()


def look_up(folder: Path, data: str, options: str = f"{{pkcs7_private_key: '{KEY}'}}") -> Any:
    files = {"hiera.yaml": CONFIG.format(options), "data/secret.eyaml": data}
    return hiera.lookup(make(folder, files, role="web"), "a")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("aes256", "secret value"),
        ("aes128", "secret value"),
        ("streamed", "secret value"),
        ("two_keys", "secret value"),
        ("empty", ""),
        ("lines", "line one\nline web two"),
    ],
)
def test_block(name: str, expected: str, tmp_path: Path) -> None:
    assert look_up(tmp_path, f"a: ENC[PKCS7,{block(name)}]\n") == expected


def test_without_a_method(tmp_path: Path) -> None:
    assert look_up(tmp_path, f"a: ENC[{block('aes256')}]\n") == "secret value"


def test_folded_over_lines(tmp_path: Path) -> None:
    text = block("aes256")
    lines = "\n  ".join(text[at : at + 60] for at in range(0, len(text), 60))
    assert look_up(tmp_path, f"a: >\n  ENC[PKCS7,{lines}]\n") == "secret value"


def test_text_around_and_in_hashes(tmp_path: Path) -> None:
    sealed = f"ENC[PKCS7,{block('aes256')}]"
    data = f"a:\n  '%{{role}}': ['x {sealed} y {sealed} %{{role}}', plain, 1]\n"
    expected = {"web": ["x secret value y secret value web", "plain", 1]}
    assert look_up(tmp_path, data) == expected


def test_what_looks_like_a_block(tmp_path: Path) -> None:
    assert look_up(tmp_path, "a: ENC[?]\n") == "ENC[?]"


@pytest.mark.parametrize(
    ("value", "options", "reason"),
    [
        (
            f"ENC[PKCS7,{block('aes256')}]",
            "{pkcs7_private_key: /no/such/key.pem}",
            "encrypted value (hiera-eyaml) of key 'a': "
            "its private key /no/such/key.pem cannot be read",
        ),
        (
            f"ENC[PKCS7,{block('aes256')}]",
            "{}",
            "encrypted value (hiera-eyaml) of key 'a': "
            "its private key ./keys/private_key.pkcs7.pem cannot be read",
        ),
        (
            f"ENC[PKCS7,{block('aes256')}]",
            "{pkcs7_private_key_env_var: KEY}",
            "encrypted value (hiera-eyaml) of key 'a': "
            "its private key is in a variable of the server's environment",
        ),
        (
            "ENC[GPG,aGk=]",
            f"{{pkcs7_private_key: '{KEY}'}}",
            "value of key 'a', encrypted (hiera-eyaml) with gpg",
        ),
        (
            f"ENC[PKCS7,{block('des3')}]",
            f"{{pkcs7_private_key: '{KEY}'}}",
            "encrypted value (hiera-eyaml) of key 'a': "
            "sealed in another way than RSA (PKCS #1) and AES-CBC",
        ),
    ],
)
def test_what_stays_unknown(value: str, options: str, reason: str, tmp_path: Path) -> None:
    assert look_up(tmp_path, f"a: {value}\n", options) == Unknown(reason)


@pytest.mark.parametrize(
    ("value", "key", "said"),
    [
        (block("another_key"), KEY, "it was encrypted for another key"),
        (block("aes256"), OTHER, "it was encrypted for another key"),
        ("aGk=", KEY, "PKCS7: not enough data"),
        ("MIIB", KEY, "PKCS7: not enough data"),
        ("aGk", KEY, "PKCS7: the block is not base64"),
        (block("aes256"), HERE / "public_key.pkcs7.pem", "the private key is not in PEM format"),
    ],
)
def test_what_cannot_be_decrypted(value: str, key: Path, said: str, tmp_path: Path) -> None:
    with pytest.raises(hiera.LookupFault) as caught:
        look_up(tmp_path, f"a: ENC[PKCS7,{value}]\n", f"{{pkcs7_private_key: '{key}'}}")
    place = tmp_path / "data/secret.eyaml"
    head = f"hiera-eyaml backend error decrypting ENC[PKCS7,{value}] when looking up a in {place}"
    assert str(caught.value).startswith(f"{head}. Error was {said}")


@pytest.mark.parametrize("cut", range(0, 360, 7))
def test_damaged(cut: int) -> None:
    key, sealed = load_key(KEY.read_bytes()), base64.b64decode(block("aes256"))
    with pytest.raises((SealError, OtherCipher)):
        unseal(sealed[:cut], key)
    damaged = sealed[:cut] + bytes([sealed[cut] ^ 0x55]) + sealed[cut + 1 :]
    with suppress(SealError, OtherCipher):
        assert isinstance(unseal(damaged, key), bytes)


def made(tag: int, *parts: bytes) -> bytes:
    """Return a value of ASN.1."""
    data = b"".join(parts)
    return bytes([tag, 0x84]) + len(data).to_bytes(4) + data


HOSTILE = {
    "open ended, deep": b"\x30\x80" * 100_000,
    "open ended, deep, at its place": made(0x30, made(6, ENVELOPED), b"\x30\x80" * 50_000),
    "many values": made(0x30, b"\x05\0" * 400_000),
    "many values, open ended": b"\x30\x80" + b"\x05\0" * 400_000,
    "a size that is not there": b"\x30\xff" + b"\xff" * 126,
    "many recipients": made(
        0x30,
        made(6, ENVELOPED),
        made(0xA0, made(0x30, b"\x02\x01\0", made(0x31, b"\x30\0" * 200_000), made(0x30))),
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_blocks_take_little_time(name: str) -> None:
    key, started = load_key(KEY.read_bytes()), time.process_time()
    with pytest.raises((SealError, OtherCipher)):
        unseal(HOSTILE[name], key)
    assert time.process_time() - started < 5


def test_keys_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    private, format = serialization.PrivateFormat.PKCS8, serialization.Encoding.PEM
    locked = serialization.BestAvailableEncryption(b"x")
    rsa = serialization.load_pem_private_key(KEY.read_bytes(), None)
    other = ec.generate_private_key(ec.SECP256R1())
    for pem, said in (
        (rsa.private_bytes(format, private, locked), "has a password"),
        (other.private_bytes(format, private, serialization.NoEncryption()), "not an RSA key"),
        (KEY.read_bytes()[:300], "not in PEM format"),
        (b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "not in PEM format"),
        (b"\0" * 1_000_000, "not in PEM format"),
        (b"", "not in PEM format"),
    ):
        with pytest.raises(SealError, match=said):
            load_key(pem)
    monkeypatch.setattr("analyzer.frontends.puppet.hiera.sources.pkcs7.LARGEST_KEY", 1024)
    with pytest.raises(SealError, match="more than 1,024 bits"):
        load_key(KEY.read_bytes())


def test_a_key_that_cannot_be_loaded_is_no_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(pem: bytes, password: None) -> None:
        raise UnsupportedAlgorithm("a curve")

    monkeypatch.setattr(serialization, "load_pem_private_key", load)
    with pytest.raises(SealError):
        load_key(b"")
