"""Opens the sealed texts of hiera-eyaml: PKCS #7 enveloped data (RFC 2315), with a private key."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

SEQUENCE, SET, OCTETS, OBJECT = 0x30, 0x31, 0x04, 0x06
# Context-specific: the content, in one piece or in several.
CONTENT, CONTENTS = 0x80, 0xA0

ENVELOPED = bytes.fromhex("2a864886f70d010703")
RSA = bytes.fromhex("2a864886f70d010101")
# The bytes of the keys of AES-CBC.
KEY_SIZES = {
    bytes.fromhex("60864801650304012a"): 32,
    bytes.fromhex("608648016503040116"): 24,
    bytes.fromhex("608648016503040102"): 16,
}

# A text of hiera-eyaml has a depth of six, and a recipient for each key; a key has 2,048 bits. Each
# further recipient, and each doubling of the key, costs the time of an attempt.
DEEPEST = 32
MOST_RECIPIENTS = 64
LARGEST_KEY = 16_384


class SealError(ValueError):
    """A text that cannot be decrypted; the message says why."""


class OtherCipher(ValueError):
    """A text that is encrypted in a way that is not supported."""


class Value(NamedTuple):
    """A value of ASN.1: its tag and a view of its bytes."""

    tag: int
    data: memoryview

    @property
    def parts(self) -> list[Value]:
        """Return the values in it."""
        found = []
        rest = self.data
        while rest:
            value, rest = read(rest)
            found.append(value)
        return found


def read(data: memoryview, depth: int = 0) -> tuple[Value, memoryview]:
    """Return the first value of some bytes, and what follows it.

    Raises:
        SealError: it is cut off, or nested too deeply.
    """
    if depth > DEEPEST:
        raise SealError("nested too deeply")
    if len(data) < 2:
        raise SealError("not enough data")
    tag, size, start = data[0], data[1], 2
    if size == 0x80:
        return open_ended(tag, data[2:], depth + 1)
    if size > 0x80:
        start += size - 0x80
        size = int.from_bytes(data[2:start])
    if len(data) < start + size:
        raise SealError("not enough data")
    return Value(tag, data[start : start + size]), data[start + size :]


def open_ended(tag: int, data: memoryview, depth: int) -> tuple[Value, memoryview]:
    """Return a value that ends at two zeros."""
    rest = data
    while bytes(rest[:2]) != b"\0\0":
        _, rest = read(rest, depth)
    return Value(tag, data[: len(data) - len(rest)]), rest[2:]


def load_key(pem: bytes) -> RSAPrivateKey:
    """Return the private key of a PEM file.

    Raises:
        SealError: it holds none.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise SealError("the private key is not in PEM format, or has a password") from None
    if not isinstance(key, RSAPrivateKey):
        raise SealError("the private key is not an RSA key")
    if key.key_size > LARGEST_KEY:
        raise SealError(f"the private key has more than {LARGEST_KEY:,} bits")
    return key


def unseal(sealed: bytes, key: RSAPrivateKey) -> bytes:
    """Return the content that was encrypted for a key.

    Raises:
        SealError: it is no enveloped data, or for another key.
        OtherCipher: it is sealed in another way than RSA (PKCS #1) and AES-CBC.
    """
    try:
        kind, content = read(memoryview(sealed))[0].parts
        if kind.data != ENVELOPED:
            raise SealError("no enveloped data")
        _, recipients, sealed_content = content.parts[0].parts[:3]
        _, cipher, data = sealed_content.parts
        name, start = (bytes(part.data) for part in cipher.parts)
        boxes = [one.parts for one in islice(recipients.parts, MOST_RECIPIENTS)]
    except (ValueError, IndexError) as error:
        reason = str(error) if isinstance(error, SealError) else "no enveloped data"
        raise SealError(f"PKCS7: {reason}") from None
    boxes = [box for box in boxes if box[2].parts[0].data == RSA]
    if name not in KEY_SIZES or not boxes:
        raise OtherCipher("sealed in another way than RSA (PKCS #1) and AES-CBC")
    whole = bytes(data.data) if data.tag == CONTENT else b"".join(p.data for p in data.parts)
    for *_, box in boxes:
        secret = opened(bytes(box.data), key)
        if secret is not None and len(secret) == KEY_SIZES[name]:
            found = decrypted(whole, secret, start)
            if found is not None:
                return found
    raise SealError("it was encrypted for another key")


def opened(box: bytes, key: RSAPrivateKey) -> bytes | None:
    """Return the secret in a box, None if it is for another key."""
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

    try:
        return key.decrypt(box, PKCS1v15())
    except ValueError:
        return None


def decrypted(data: bytes, secret: bytes, start: bytes) -> bytes | None:
    """Return the content, None if the secret is not the right one."""
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import AES
    from cryptography.hazmat.primitives.ciphers.modes import CBC
    from cryptography.hazmat.primitives.padding import PKCS7

    try:
        reader = Cipher(AES(secret), CBC(start)).decryptor()
        remover = PKCS7(128).unpadder()
        return remover.update(reader.update(data) + reader.finalize()) + remover.finalize()
    except ValueError:
        return None
