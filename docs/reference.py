"""What the site makes of the sources: the Python reference's check, and the pages of C++ headers.

Headers are shown themselves, because they are written to be read. Doxygen is a package of Debian,
but reads comments in its own marks, which ours do not have, and would want a second tool to get its
output into this site.
"""

import inspect
import pathlib
import re
import types

HEADERS = re.compile(r"<!-- headers of ([\w/]+) -->")


def is_field(owner, value):
    """Whether a member of a class is a field, which the docstring of the class tells of."""
    return inspect.isclass(owner) and not (
        callable(value) or isinstance(value, (property, classmethod, staticmethod))
    )


def public_names(module):
    """The public names of a module with their values, and those of its classes: (path, value)."""
    of_module = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]
    for name in of_module:
        value = getattr(module, name)
        if isinstance(value, (types.ModuleType, str)):
            continue
        yield f"{module.__name__}.{name}", value
        if inspect.isclass(value) and value.__module__.startswith(module.__name__.split(".")[0]):
            for key, member in vars(value).items():
                if not key.startswith("_") and not is_field(value, member):
                    yield f"{module.__name__}.{name}.{key}", getattr(value, key)


def told(value):
    """The docstring, without the signatures that compiled functions have in its place."""
    text = inspect.getdoc(value) or ""
    name = getattr(value, "__name__", "")
    lines = [line for line in text.splitlines() if not line.startswith(f"{name}(")]
    return "\n".join(lines).strip()


def undocumented(module):
    """The paths of public names that nothing is said about."""
    return [path for path, value in public_names(module) if not told(value)]


def _leading_comment(text):
    """The comment that a header begins with, as paragraphs, and the rest."""
    lines = text.splitlines()
    count = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return "\n".join(line[2:].strip() for line in lines[:count]), "\n".join(lines[count:])


def _declarations(text):
    """A header without what only the compiler needs, nor what is private."""
    dropped = re.compile(r"#pragma once|#include .*|}?\s*// namespace.*|namespace [\w:]+ {|}  // namespace.*")
    lines = [line for line in text.splitlines() if not dropped.fullmatch(line)]
    shown, end = [], None
    for line in lines:
        if end is None and line.strip() == "private:":
            end = line[: len(line) - len("private:") - 1] + "};"  # of the class
        if end is not None and line != end:
            continue
        end = None
        shown.append(line)
    text = re.sub(r"\n{2,}(?= *};)", "\n", "\n".join(shown))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _escaped(text):
    """Text of a comment in Markdown, where `code` stays code."""
    parts = re.split(r"(`[^`\n]+`)", text)
    return "".join(
        part if i % 2 else re.sub(r"([\\*_<>\[\]$#{}`|~])", r"\\\1", part) for i, part in enumerate(parts)
    )


def headers_of(root, folder):
    """Markdown of the headers in a folder and its rooms: what each is for, and what it declares."""
    page = []
    for header in sorted((pathlib.Path(root) / folder).rglob("*.h")):
        name = header.relative_to(root).as_posix()
        comment, rest = _leading_comment(header.read_text(encoding="utf-8"))
        page += [f"## {header.relative_to(pathlib.Path(root) / 'vapor').as_posix()}", _escaped(comment)]
        page += [f"`#include <{name}>`", f"```cpp\n{_declarations(rest)}\n```"]
    return "\n\n".join(part for part in page if part)
