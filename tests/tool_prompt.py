#!/usr/bin/env python3
# tool_prompt.py: the passphrase prompt on a terminal: echo is off, and is back after every way out.
# SPDX-License-Identifier: BSD-2-Clause
import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

MTAES = sys.argv[1]
failed = 0


def check(name, right):
    global failed
    if not right:
        failed += 1
        print("FAIL: prompt:", name)


def default_signals():
    """Whoever started the tests may ignore some of them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP,
                   signal.SIGTTIN, signal.SIGTTOU):
        signal.signal(number, signal.SIG_DFL)


class Terminal:
    """The tool in a session of its own with a terminal; its standard input is data from a pipe."""

    def __init__(self, *arguments, stdin=b""):
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.seen = b""
        name = os.ttyname(self.slave)

        def take_terminal():
            os.setsid()
            fcntl.ioctl(os.open(name, os.O_RDWR), termios.TIOCSCTTY, 0)
            default_signals()

        self.process = subprocess.Popen([MTAES, *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        preexec_fn=take_terminal)
        if stdin:
            self.process.stdin.write(stdin)
        self.process.stdin.close()
        self.process.stdin = None  # for communicate

    def wait_for(self, text, seconds=20):
        end = time.time() + seconds
        while text not in self.seen and time.time() < end:
            if select.select([self.master], [], [], 0.1)[0]:
                self.seen += os.read(self.master, 4096)
        return text in self.seen

    def echo(self):
        return bool(termios.tcgetattr(self.slave)[3] & termios.ECHO)

    def wait_echo(self, wanted, seconds=10):
        end = time.time() + seconds
        while self.echo() != wanted and time.time() < end:
            time.sleep(0.01)
        return self.echo() == wanted

    def type(self, text):
        os.write(self.master, text)

    def finish(self, name):
        out, err = self.process.communicate(timeout=60)
        check(f"{name}: terminal as before", termios.tcgetattr(self.slave) == self.before)
        self.wait_for(b"\0 never", 0.2)
        os.close(self.master)
        os.close(self.slave)
        return self.process.returncode, out, err


def encrypt_and_decrypt():
    t = Terminal("-p", stdin=b"not the passphrase\n")
    check("asks", t.wait_for(b"Passphrase: ") and t.wait_echo(False))
    t.type(b"tr0ub4dor\n")
    check("asks again", t.wait_for(b"again: ") and t.wait_echo(False))
    t.type(b"tr0ub4dor\n")
    code, encrypted, err = t.finish("encrypt")
    check(f"encrypt: {code} {err}", code == 0 and encrypted.startswith(b"\x89MTAES"))
    check("passphrase was shown", b"tr0ub" not in t.seen)
    t = Terminal("-d", "-p", stdin=encrypted)
    t.wait_for(b"Passphrase: ")
    t.type(b"tr0ub4dor\n")
    code, text, err = t.finish("decrypt")
    check(f"decrypt: {code} {err}", code == 0 and text == b"not the passphrase\n")
    return encrypted


def ends(encrypted):
    t = Terminal("-p", stdin=b"x")
    t.wait_for(b"Passphrase: ")
    t.type(b"one\n")
    t.wait_for(b"again: ")
    t.type(b"two\n")
    code, out, _ = t.finish("two passphrases")
    check(f"two passphrases: {code}", code == 1 and out == b"")
    for keys, name, wanted in ((b"\n", "empty", 2), (b"\x04", "end of file", 2),
                               (b"wrong\n", "wrong", 5)):
        t = Terminal("-d", "-p", stdin=encrypted)
        t.wait_for(b"Passphrase: ")
        t.type(keys)
        code, out, _ = t.finish(name)
        check(f"{name}: {code}", code == wanted and out == b"")


def signals(encrypted):
    for number, keys in ((signal.SIGINT, b"\x03"), (signal.SIGQUIT, b"\x1c"), (signal.SIGTERM, None),
                         (signal.SIGHUP, None)):
        t = Terminal("-d", "-p", stdin=encrypted)
        check(f"{number.name}: asks", t.wait_for(b"Passphrase: ") and t.wait_echo(False))
        t.type(b"half a passph")
        if keys:
            t.type(keys)
        else:
            t.process.send_signal(number)
        code, out, _ = t.finish(number.name)
        check(f"{number.name}: {code}", code == -number and out == b"")


def stop_and_continue(encrypted):
    """Stopped at the prompt, echo comes back; continued, it asks again and goes on."""
    t = Terminal("-d", "-p", stdin=encrypted)
    t.wait_for(b"Passphrase: ")
    t.wait_echo(False)
    t.seen = b""
    t.process.send_signal(signal.SIGTSTP)
    # the only process of an orphaned group is not stopped by SIGTSTP: it goes on at once then
    check("stop: echo", t.wait_echo(True, 2) or t.wait_for(b"Passphrase: "))
    t.process.send_signal(signal.SIGCONT)
    check("continue: asks again", t.wait_for(b"Passphrase: ") and t.wait_echo(False))
    t.type(b"tr0ub4dor\n")
    code, text, err = t.finish("stop")
    check(f"stop: {code} {err}", code == 0 and text == b"not the passphrase\n")


def under_shell(script):
    """The same under a shell with job control, where a stop is real."""
    t = Terminal.__new__(Terminal)
    t.master, t.slave = pty.openpty()
    t.before, t.seen, name = termios.tcgetattr(t.slave), b"", os.ttyname(t.slave)

    def take_terminal():
        os.setsid()
        fcntl.ioctl(os.open(name, os.O_RDWR), termios.TIOCSCTTY, 0)
        default_signals()

    t.process = subprocess.Popen(["bash", "-c", f"tool='{MTAES}'; set -m; {script}"], stdin=t.slave,
                                 stdout=t.slave, stderr=t.slave, preexec_fn=take_terminal)
    return t


def answer_under_shell(t, name):
    """It asks, takes the answer, writes the text; then the shell ends."""
    check(f"{name}: asks", t.wait_for(b"Passphrase: ") and t.wait_echo(False))
    t.type(b"tr0ub4dor\n")
    check(f"{name}: text", t.wait_for(b"not the passphrase"))
    end_shell(t, name)


def end_shell(t, name):
    check(f"{name}: {t.process.wait(20)}", t.process.returncode == 0)
    check(f"{name}: terminal as before", t.echo())
    os.close(t.master)
    os.close(t.slave)


def stop_under_shell():
    t = under_shell('"$tool" -d -p prompt.mta -c; echo stopped; sleep 1; fg >/dev/null')
    check("shell: asks", t.wait_for(b"Passphrase: ") and t.wait_echo(False))
    t.seen = b""
    t.type(b"\x1a")
    check("shell: stopped, echo", t.wait_for(b"stopped") and t.echo())
    answer_under_shell(t, "shell")


def background():
    """In the background it leaves the terminal alone, from the start and after ^Z and bg."""
    t = under_shell('"$tool" -d -p prompt.mta -c & sleep 1; echo waited; read -r; fg >/dev/null')
    check("background: waited", t.wait_for(b"waited"))
    check("background: echo, no prompt", t.echo() and b"Passphrase" not in t.seen)
    t.type(b"\n")
    answer_under_shell(t, "background")
    t = under_shell('"$tool" -d -p prompt.mta -c; bg; sleep 1; echo waited; read -r; fg >/dev/null')
    check("bg: asks", t.wait_for(b"Passphrase: ") and t.wait_echo(False))
    t.seen = b""
    t.type(b"\x1a")
    check("bg: waited", t.wait_for(b"waited"))
    check("bg: echo, no prompt", t.echo() and b"Passphrase" not in t.seen)
    t.type(b"\n")
    answer_under_shell(t, "bg")


def background_for_good():
    """Where no shell could call it to the foreground, or it does not stop, it fails."""
    for name, script in (("orphaned", '({ sleep 1; "$tool" -d -p prompt.mta -c; echo code $?; } &)'),
                         ("no stop", 'trap "" TTOU; { "$tool" -d -p prompt.mta -c; echo code $?; } &')):
        t = under_shell(f"{script} sleep 3" if name == "no stop" else f"{script}; sleep 3")
        check(f"{name}: fails: {t.seen}", t.wait_for(b"code 7") and b"Passphrase: " not in t.seen)
        check(f"{name}: echo", t.echo())
        end_shell(t, name)


def no_terminal():
    p = subprocess.run([MTAES, "-p"], input=b"secret\n", stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, start_new_session=True, check=False)
    check(f"no terminal: {p.returncode} {p.stderr}", p.returncode == 7 and p.stdout == b"")


encrypted_file = encrypt_and_decrypt()
ends(encrypted_file)
signals(encrypted_file)
stop_and_continue(encrypted_file)
with open("prompt.mta", "wb") as prompt_file:
    prompt_file.write(encrypted_file)
stop_under_shell()
background()
background_for_good()
no_terminal()
sys.exit(failed != 0)
