#!/usr/bin/env python3
"""Checks what the pages of the repository point at: check_links.py ROOT

- every relative link leads to a file that exists, and its anchor to a heading of that file;
- every path in code style, `vapor/solver/newton.h` or for short `solver/newton.h`, is a real one.

A path with NAME or the like in it is a pattern (`experiments/NAME/README.md`), and a how-to page that
says "The example is `x`" may name files of x that are to be written.
"""
import pathlib
import re
import sys

FOLDERS = "vapor|apps|benchmarks|cmake|docs|examples|experiments|python|scripts|tests"
LIBRARIES = "core|mdp|belief|solver|agent|env|record|nn|deep|atari|run|report"
LINK = re.compile(r"\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
CODE = re.compile(r"`+([^`]+)`+")
PATH = re.compile(rf"^(?:{FOLDERS})/[\w.-]+(?:/[\w.-]+)*/?$")
SHORT_PATH = re.compile(rf"^(?:{LIBRARIES})/\w+\.(?:h|cpp)$")
PATTERN = re.compile(r"(?<![A-Z])(?:NAME|FOLDER|DIR|OUT)(?![A-Z])")
EXAMPLE = re.compile(r"The example is `([\w-]+)`")


def pages_of(root):
    """The pages: those of the site, and the two that only a code host shows."""
    found = [root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md"]
    found.append(root / "SECURITY.md")
    for folder in ("docs", "experiments", "examples", "benchmarks", "tests"):
        found += sorted((root / folder).rglob("*.md"))
    return [page for page in found if page.is_file()]


def without_code_blocks(text):
    return re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors_of(page):
    """The anchors that code hosts, and the site, give to headings."""
    anchors = set()
    for heading in re.findall(r"^#+ (.+)$", without_code_blocks(page.read_text()), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.lower())
        anchors.add(words.strip().replace(" ", "-"))
    return anchors


def faults_of_link(page, target):
    if re.match(r"[a-z]+:", target):
        return
    name, _, anchor = target.partition("#")
    file = (page.parent / name).resolve() if name else page
    if not file.exists():
        yield f"link to {target}: no such file"
    elif anchor and anchor not in anchors_of(file):
        yield f"link to {target}: no such heading"


def faults_of_path(root, path, invented):
    if PATTERN.search(path) or any(word in path for word in invented):
        return
    if PATH.match(path) and not (root / path).exists():
        yield f"`{path}`: no such file"
    if SHORT_PATH.match(path) and not (root / "vapor" / path).exists():
        yield f"`{path}`: no such file in vapor/"


def faults_of(root, page):
    text = without_code_blocks(page.read_text())
    example = EXAMPLE.search(text) if page.parent.name == "how-to" else None
    invented = {example[1], example[1].replace("-", "_")} if example else set()
    for target in LINK.findall(CODE.sub("", text)) + LINK.findall(text):
        yield from faults_of_link(page, target)
    for path in CODE.findall(text):
        yield from faults_of_path(root, path, invented)


def check(root):
    return sorted({f"{page.relative_to(root)}: {fault}"
                   for page in pages_of(root) for fault in faults_of(root, page)})


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1]).resolve()
    faults = check(root)
    print("\n".join(faults) or f"{len(pages_of(root))} pages, no fault")
    sys.exit(1 if faults else 0)
