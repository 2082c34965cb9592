"""What is installed is named with its version and its checksum: every requirements.txt and
package-lock.json, every pip and npm call of the scripts. Fails with the lines that are not.

    check_pins.py ROOT
"""

import json
import re
import subprocess
import sys
from pathlib import Path

PIN = re.compile(r"^[A-Za-z0-9._-]+(\[[^]]+\])?==[^\s;\\]+(\s*;[^\\]*)?\s*\\?$")


def unpinned_requirements(text: str) -> list[str]:
    """Lines that name a package without its version, and packages without a hash."""
    wrong = []
    joined = re.sub(r"\\\n", " ", text)
    for line in joined.splitlines():
        line = line.split(" #")[0].strip()
        if not line or line.startswith("#") or line in ("--only-binary :all:", "--no-binary :all:"):
            continue
        requirement, *hashes = re.split(r"\s+--hash=", line)
        if not PIN.match(requirement.strip()):
            wrong.append(line[:80])
        elif not hashes or not all(re.fullmatch(r"sha256:[0-9a-f]{64}", h.strip()) for h in hashes):
            wrong.append(f"{requirement}: no sha256")
    return wrong


def unpinned_packages(text: str) -> list[str]:
    lock = json.loads(text)
    return [
        name
        for name, package in lock["packages"].items()
        if name
        and not package.get("link")
        and not re.fullmatch(r"sha512-[A-Za-z0-9+/=]+", package.get("integrity", ""))
    ]


def loose_calls(text: str) -> list[str]:
    """Calls of pip and npm that would install what no checksum covers."""
    wrong = []
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if line.lstrip().startswith(("#", "echo", "say")):
            continue
        # Our own package may be installed as it is, from this tree or as the wheel made of it.
        ours = re.search(r'"\$wheel"|--no-deps [^&|]*"\$root"', line)
        if re.search(r"\bpip install\b", line) and "--require-hashes" not in line and not ours:
            wrong.append(line.strip()[:100])
        if re.search(r"\bnpm (install|i|add)\b|\bcurl\b|\bwget\b", line):
            wrong.append(line.strip()[:100])
    return wrong


def files(root: Path) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True
    )
    return [root / name for name in listed.stdout.splitlines()]


def main(root: Path) -> int:
    wrong, seen = [], 0
    for path in files(root):
        name = str(path.relative_to(root))
        if path.name.endswith(".txt") and "requirements" in name:
            found = unpinned_requirements(path.read_text())
        elif path.name == "package-lock.json":
            found = unpinned_packages(path.read_text())
        elif name.startswith("scripts/") or name in ("run", "test"):
            found = loose_calls(path.read_text())
        else:
            continue
        seen += 1
        wrong += [f"{name}: {line}" for line in found]
    print("\n".join(wrong) or f"{seen} files: all that is installed is pinned and hashed")
    return 1 if wrong or seen < 10 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
