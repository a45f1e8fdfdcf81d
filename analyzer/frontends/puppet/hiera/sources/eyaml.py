"""Values of hiera-eyaml: texts with `ENC[...]` in them (the function eyaml_lookup_key)."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.hiera.errors import LookupFault, RubyFault
from analyzer.frontends.puppet.hiera.sources.files import ParsedFiles
from analyzer.frontends.puppet.hiera.sources.pkcs7 import OtherCipher, SealError, load_key, unseal
from analyzer.model.values import Unknown
from analyzer.reading import Secrets

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

ENCRYPTED = re.compile(r".*ENC\[.*?\]")
BLOCK = re.compile(r"ENC\[(?:(\w+),)?([a-zA-Z0-9+/ =\n]+?)\]")
# The place of hiera-eyaml's private key, if no option names another.
DEFAULT_KEY = "./keys/private_key.pkcs7.pem"

# The value of a text when nothing in it is encrypted any more.
Plain = Callable[[str], Any]


class Eyaml:
    """Decrypts the values of a level, with the private key that its options name."""

    def __init__(self, options: Any, files: ParsedFiles, path: str) -> None:
        self.options = options
        self.files = files
        self.path = path

    def value(self, value: object, key: str, plain: Plain) -> Any:
        """Return a value with its encrypted parts decrypted; Unknown without the key.

        Raises:
            LookupFault: something cannot be decrypted.
        """
        if isinstance(value, str):
            text = self.text(value, key) if ENCRYPTED.search(value) else value
            return text if isinstance(text, Unknown) else plain(text)
        if isinstance(value, dict):
            return {plain(name): self.value(one, key, plain) for name, one in value.items()}
        if isinstance(value, list):
            return [self.value(one, key, plain) for one in value]
        return value

    def text(self, text: str, key: str) -> str | Unknown:
        """Return a text with its blocks decrypted."""
        found = [*BLOCK.finditer(text)]
        methods = {self.method(match) for match in found} - {"pkcs7"}
        if methods:
            return Unknown(f"value of key '{key}', encrypted (hiera-eyaml) with {min(methods)}")
        try:
            secret: Any = self.private_key() if found else None
            if isinstance(secret, Unknown):
                return Unknown(f"encrypted value (hiera-eyaml) of key '{key}': {secret.reason}")
            Secrets.met = True
            plain = BLOCK.sub(lambda match: unsealed(match[2], secret), text)
        except OtherCipher as error:
            return Unknown(f"encrypted value (hiera-eyaml) of key '{key}': {error}")
        except SealError as error:
            raise LookupFault(
                f"hiera-eyaml backend error decrypting {text} when looking up {key} in "
                f"{self.path}. Error was {error}"
            ) from None
        return plain.removesuffix("\n").removesuffix("\r")

    def method(self, match: re.Match[str]) -> str:
        """Return in which way a block is encrypted."""
        return str(match[1] or self.options.get("encrypt_method") or "pkcs7").lower()

    def private_key(self) -> Any:
        """Return the private key, Unknown if it cannot be read."""
        if isinstance(self.options, Unknown):
            return self.options
        path = self.options.get("pkcs7_private_key")
        if path is None and "pkcs7_private_key_env_var" in self.options:
            return Unknown("its private key is in a variable of the server's environment")
        path = str(path or DEFAULT_KEY)
        try:
            return self.files.read(path, pem_file)
        except RubyFault:
            return Unknown(f"its private key {path} cannot be read")


def pem_file(text: str, path: str) -> RSAPrivateKey:
    """Return the private key of a PEM file."""
    return load_key(text.encode(errors="surrogateescape"))


def unsealed(block: str, key: RSAPrivateKey) -> str:
    """Return the decrypted value of a block.

    Raises:
        SealError: it cannot be decrypted.
    """
    try:
        sealed = b64decode("".join(block.split()), validate=True)
    except ValueError:
        raise SealError("PKCS7: the block is not base64") from None
    return unseal(sealed, key).decode(errors="surrogateescape")
