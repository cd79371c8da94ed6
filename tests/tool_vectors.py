#!/usr/bin/env python3
# tool_vectors.py: the 70 Cobblestone vectors of Wycheproof through `mtaes --bare`, streaming and not.
# SPDX-License-Identifier: BSD-2-Clause
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
MTAES = os.environ.get("MTAES") or next(p for p in ("./mtaes", "./tools/mtaes") if os.path.exists(p))
CHUNK = 16400
passed = failed = 0
flags_seen = set()


def check(name, right):
    global passed, failed
    if right:
        passed += 1
    else:
        failed += 1
        print("FAIL:", name)


def run(arguments, **kwargs):
    p = subprocess.run([MTAES, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kwargs)
    return p.returncode, p.stdout


def wanted_code(test, ct):
    """What mtaes(1) says about each kind of fault."""
    flags = test["flags"]
    if test["result"] == "valid":
        return 0
    if "InvalidKeySize" in flags:
        return 2
    if len(ct) < 56 or (len(ct) - 56) % CHUNK < 16:
        return 4
    return 5 if "HeaderFailure" in flags else 3


def sha(data):
    return hashlib.sha512(data).hexdigest()


def streaming(name, test, ct, options, code):
    got, text = run(["-d", *options], input=ct)
    check(f"{name}: stream: exit code {got}, not {code}", got == code)
    prefix_sha = test.get("msgSha512", sha(b""))
    # what was released is exactly the longest valid prefix
    check(f"{name}: stream: text", len(text) == test.get("msgLength", 0) and sha(text) == prefix_sha)


def to_file(name, test, path, options, code):
    out = path + ".out"
    got, _ = run(["-d", *options, "-o", out, path])
    check(f"{name}: file: exit code {got}, not {code}", got == code)
    if code == 0:
        with open(out, "rb") as f:
            check(f"{name}: file: text", sha(f.read()) == test["msgSha512"])
        os.unlink(out)
    else:
        check(f"{name}: file: an output was left", not os.path.exists(out))
    got, text = run(["verify", *options, path])
    check(f"{name}: verify", got == code and text == b"")


def random_access(name, test, path, ct, options):
    """Each part for itself, last first; of an invalid message the last chunk alone."""
    full, rest = divmod(max(len(ct) - 56, 0), CHUNK)
    size = full * 16384 + rest - 16
    last = full * 16384
    if test["result"] != "valid":
        got, text = run(["cat", *options, f"--range={last}:", path])
        may = "ValidFinalChunk" in test["flags"]
        check(f"{name}: last chunk: exit code {got}", (got == 0) == may and (may or text == b""))
        return
    whole = bytearray(size)
    cuts = sorted({0, size, *(c for c in (1, 16383, 16384, 16385, size // 2, last, size - 1)
                              if 0 <= c <= size)})
    for begin, end in reversed(list(zip(cuts, cuts[1:]))):
        got, text = run(["cat", *options, f"--range={begin}:{end - begin}", path])
        check(f"{name}: range {begin} to {end}", got == 0 and len(text) == end - begin)
        whole[begin:end] = text
    check(f"{name}: all ranges together", sha(whole) == test["msgSha512"])
    got, _ = run(["cat", *options, f"--range={size}:1", path])
    check(f"{name}: past the end", got == 2)


def one(bits, test, folder):
    name = f"{bits}/{test['tcId']}"
    ct = zlib.decompress(bytes.fromhex(test["ct"]))
    path, key = os.path.join(folder, "message"), os.path.join(folder, "key")
    with open(path, "wb") as f:
        f.write(ct)
    with open(key, "wb") as f:
        f.write(bytes.fromhex(test["key"]))
    options = ["--bare", f"--suite={bits}", f"--context-hex={test['ctx']}", "-k", key]
    code = wanted_code(test, ct)
    flags_seen.update(test["flags"])
    streaming(name, test, ct, options, code)
    to_file(name, test, path, options, code)
    random_access(name, test, path, ct, options)


def main():
    known, count = set(), 0
    for bits in (128, 256):
        path = f"{HERE}/vectors/wycheproof/c2sp_chunked_encryption_aes_{bits}_gcm_test.json"
        with open(path) as f:
            data = json.load(f)
        known.update(data["notes"])
        for group in data["testGroups"]:
            for test in group["tests"]:
                with tempfile.TemporaryDirectory() as folder:
                    one(bits, test, folder)
                count += 1
    check(f"70 vectors, not {count}", count == 70)
    check(f"flags not exercised: {known - flags_seen}", known == flags_seen)
    print(f"tool_vectors.py: {passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
