#!/usr/bin/env python3
# mtaes_decode.py: a second, independent reader of mtaes files, written from mtaes(5) alone.
# SPDX-License-Identifier: BSD-2-Clause
"""Usage: mtaes_decode.py (-k KEYFILE | -p PASSPHRASEFILE) < FILE > TEXT

Standard library and `cryptography` only; a passphrase also needs Argon2id, from a recent
`cryptography` or from libargon2. Reads all of it before it writes any of it."""
import ctypes
import hashlib
import hmac
import re
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAGIC = b"\x89MTAES\r\n"


def expand(prk, info, length):  # RFC 5869, section 2.3, SHA-512
    out, block, count = b"", b"", 0
    while len(out) < length:
        count += 1
        block = hmac.new(prk, block + info + bytes([count]), hashlib.sha512).digest()
        out += block
    return out[:length]


def argon2id(passphrase, salt, memory_kib, passes, lanes):
    try:
        from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
        return Argon2id(salt=salt, length=32, iterations=passes, lanes=lanes,
                        memory_cost=memory_kib).derive(passphrase)
    except ImportError:
        out = ctypes.create_string_buffer(32)
        library = ctypes.CDLL("libargon2.so.1")
        code = library.argon2id_hash_raw(
            ctypes.c_uint32(passes), ctypes.c_uint32(memory_kib), ctypes.c_uint32(lanes),
            passphrase, ctypes.c_size_t(len(passphrase)), salt, ctypes.c_size_t(len(salt)),
            out, ctypes.c_size_t(32))
        if code != 0:
            raise SystemExit(f"argon2: {code}")
        return out.raw


def number(data):
    return int.from_bytes(data, "big")


def open_slot(slot, kind, secret, immutable):
    if slot[0] != kind:
        return None
    memory_kib, passes, lanes = number(slot[4:8]), number(slot[8:12]), number(slot[12:16])
    salt = slot[16:48]
    if kind == 2:
        if not (19456 <= memory_kib <= 1 << 20 and 1 <= passes <= 16 and 1 <= lanes <= 16
                and 38912 <= memory_kib * passes <= 1 << 22):
            raise SystemExit("cost out of bounds")
        secret = argon2id(secret, salt, memory_kib, passes, lanes)
    prk = hmac.new(salt, secret, hashlib.sha512).digest()
    wrap = expand(prk, b"mtaes-file v1 slot\0" + slot[:16], 64)
    if not hmac.compare_digest(wrap[32:], slot[48:80]):
        return None
    try:
        return AESGCM(wrap[:32]).decrypt(bytes(12), slot[80:128], immutable)
    except InvalidTag:
        return None


def data_key(header, kind, secret):
    immutable = header[:64]
    key_bytes = number(header[10:12]) // 8
    copies = [header[at:at + 1152] for at in (128, 4096)]
    if header[64] == 0 and copies[0] != copies[1]:
        raise SystemExit("copies differ")
    for copy in copies:
        for at in range(64, 1088, 128):
            padded = open_slot(copy[at:at + 128], kind, secret, immutable)
            if padded is None:
                continue
            key = padded[:key_bytes]
            mac_key = expand(key, b"mtaes-file v1 slot area", 64)
            for signed in copies:
                mac = hmac.new(mac_key, immutable + signed[:1088], hashlib.sha512).digest()
                if hmac.compare_digest(mac, signed[1088:]):
                    return key
            raise SystemExit("MAC of the key slots")
    raise SystemExit("no key slot opens")


def cobblestone(key, message, context):
    aead = b"AEAD_AES_128_GCM" if len(key) == 16 else b"AEAD_AES_256_GCM"
    info = b"c2sp.org/chunked-encryption@v1+" + aead + b"\0" + message[:24] + context
    derived = expand(key, info, len(key) + 44)
    gcm, base, commitment = AESGCM(derived[:len(key)]), derived[len(key):-32], derived[-32:]
    if not hmac.compare_digest(commitment, message[24:56]):
        raise SystemExit("commitment")
    text, chunk = [], 0
    for at in range(56, len(message) + 1, 16400):
        nonce = (number(base) ^ chunk).to_bytes(12, "big")
        text.append(gcm.decrypt(nonce, message[at:at + 16400], None))
        chunk += 1
    if len(text[-1]) == 16384:
        raise SystemExit("truncated")
    return b"".join(text)


def main():
    option, path = sys.argv[1:3]
    with open(path, "rb") as file:
        secret = file.read()
    if option == "-p":
        secret = secret.split(b"\n")[0]
    elif re.fullmatch(rb"([0-9A-Fa-f]{64}|[0-9A-Fa-f]{32})\n?", secret):
        secret = bytes.fromhex(secret.decode())
    data = sys.stdin.buffer.read()
    header = data[:8192]
    if header[:8] != MAGIC or number(header[8:10]) != 1 or number(header[10:12]) not in (128, 256):
        raise SystemExit("not a file this reader knows")
    if number(header[12:14]) != 0 or hashlib.sha512(header[:56]).digest()[:8] != header[56:64]:
        raise SystemExit("critical flag or check sum")
    key = data_key(header, 2 if option == "-p" else 1, secret)
    sys.stdout.buffer.write(cobblestone(key, data[8192:], header[:64]))


if __name__ == "__main__":
    main()
