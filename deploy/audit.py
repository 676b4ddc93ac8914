"""Looks the installed packages up in the lists of known holes; where no list can be reached, says so and passes."""

import json
import subprocess
import sys
from collections.abc import Sequence

SECONDS = 240
LISTS = ("pypi", "osv")
PIP_AUDIT = (sys.executable, "-m", "pip_audit")


class Away(Exception):
    """A list gave no answer; the message says why."""


def main(pip_audit: Sequence[str] = PIP_AUDIT) -> int:
    """Ask one list, then the other; return 1 when one of them knows a hole.

    A list that knows none of the packages was not reached, whatever it says: a mirror may have packages and no list.
    """
    reasons = []
    for name in LISTS:
        try:
            found = ask(pip_audit, name)
        except Away as reason:
            reasons.append(f"  {name}: {reason}")
            continue
        return told(name, found)
    print("Not looked up, for no list of known holes could be reached from here:\n" + "\n".join(reasons))
    return 0


def ask(pip_audit: Sequence[str], name: str) -> list[dict[str, object]]:
    flags = ["--local", "--skip-editable", "--progress-spinner", "off", "--format", "json", "--vulnerability-service"]
    try:
        done = subprocess.run([*pip_audit, *flags, name], capture_output=True, text=True, timeout=SECONDS, check=False)
        found: list[dict[str, object]] = json.loads(done.stdout)["dependencies"]
    except subprocess.TimeoutExpired as late:
        raise Away(f"no answer within {SECONDS} s") from late
    except (ValueError, KeyError) as error:
        raise Away(last_line(done.stderr)) from error
    if not [one for one in found if "skip_reason" not in one]:
        raise Away(f"it knows none of the {len(found)} packages")
    return found


def told(name: str, found: list[dict[str, object]]) -> int:
    unknown = [str(one["name"]) for one in found if "skip_reason" in one]
    holed = [one for one in found if one.get("vulns")]
    for one in holed:
        print(f"{one['name']} {one['version']}: {json.dumps(one['vulns'])}")
    left = f"; not known there: {', '.join(unknown)}" if unknown else ""
    print(f"{len(found) - len(unknown)} packages looked up ({name}), {len(holed)} with known holes{left}.")
    return 1 if holed else 0


def last_line(said: str) -> str:
    return (said.strip().splitlines() or ["no reason was given"])[-1][-300:]


if __name__ == "__main__":
    sys.exit(main())
