#!/usr/bin/env python3
# tool_raw_vectors.py: PCBC, XTS and Gecko vectors through `mtaes raw`, and XTS in units against libcrypto.
# SPDX-License-Identifier: BSD-2-Clause
import glob
import os
import subprocess
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

MTAES, HERE = sys.argv[1:3]
passed = failed = 0


def raw(*arguments, data):
    p = subprocess.run([MTAES, "raw", "-q", *arguments], input=data, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    return p.stdout if p.returncode == 0 else p.stderr


def check(name, got, wanted):
    global passed, failed
    if got == wanted:
        passed += 1
    else:
        failed += 1
        print("FAIL:", name, got[:60])


def records(path):
    record, section = {}, ""
    with open(path) as f:
        for line in [*f, "\n"]:
            line = line.strip()
            if line.startswith("["):
                section = line.strip("[]")
            elif " = " in line:
                name, value = line.split(" = ", 1)
                record[name] = value
            elif not line and "CIPHERTEXT" in record:
                yield section, record
                record = {}


def both_ways(name, options, plain, cipher):
    check(f"{name} encrypt", raw(*options, data=plain), cipher)
    check(f"{name} decrypt", raw("-d", *options, data=cipher), plain)


def vectors(path, mode, cipher, most):
    count = 0
    for section, r in records(path):
        if section != "ENCRYPT" or count == most or "PLAINTEXT" not in r:
            continue
        count += 1
        with open("vector.key", "wb") as f:
            f.write(bytes.fromhex(r["KEY"]))
        iv = r.get("TWEAK") or r.get("IV")
        options = [f"--mode={mode}", f"--cipher={cipher}", "-k", "vector.key"]
        options += [f"--iv={iv}"] if iv else []
        options += ["--pad=none"] if mode in ("ecb", "cbc", "pcbc") else []
        options += ["--unit=16M"] if mode == "xts" else []
        both_ways(f"{os.path.basename(path)} {r.get('COUNT')}", options,
                  bytes.fromhex(r["PLAINTEXT"]), bytes.fromhex(r["CIPHERTEXT"]))
    check(f"{path}: has vectors", count > 0, True)


def xts_units(unit, size, number):
    """Unit by unit with libcrypto."""
    key = bytes(range(64))
    text = bytes(i * 7 & 255 for i in range(size))
    wanted = b""
    for at in range(0, size, unit):
        tweak = (number + at // unit).to_bytes(16, "little")
        wanted += Cipher(algorithms.AES(key), modes.XTS(tweak)).encryptor().update(text[at:at + unit])
    with open("xts.key", "wb") as f:
        f.write(key)
    both_ways(f"xts unit {unit} size {size} from {number}",
              ["--mode=xts", f"--unit={unit}", "-k", "xts.key",
               f"--iv={number.to_bytes(16, 'little').hex()}"], text, wanted)


def main():
    vectors(f"{HERE}/vectors/generated/aes_pcbc.rsp", "pcbc", "aes", 1000)
    vectors(f"{HERE}/vectors/generated/aes_xts_sizes.rsp", "xts", "aes", 1000)
    for unit, size, number in ((512, 5120, 0), (512, 5 * 512 + 17, 254), (4096, 3 * 4096, 2**32 - 2),
                               (16, 160, 2**64 - 3), (512, 4194304 + 512 + 16, 2**64 - 5),
                               (100000, 4300000, 7), (5000000, 11000000, 1)):
        xts_units(unit, size, number)
    gecko = subprocess.run([MTAES, "raw", "-q", "--mode=ecb", "--cipher=gecko", "-k", "xts.key"],
                           input=b"", capture_output=True, check=False)
    if b"no kernel 'gecko'" in gecko.stderr:
        print("SKIP: this library has no Gecko")
    for path in sorted(glob.glob(f"{HERE}/vectors/gecko/*/gecko-*-*.rsp")):
        mode = os.path.basename(os.path.dirname(path))
        if mode != "long" and b"no kernel 'gecko'" not in gecko.stderr:
            vectors(path, mode, "gecko", 12)
    print(f"tool_raw_vectors.py: {passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
