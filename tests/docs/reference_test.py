#!/usr/bin/env python3
"""docs/reference.py finds names that say nothing, and shows headers as they are meant to be read."""
import pathlib
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs"))

import reference  # noqa: E402

SOURCE = '''
"""A module."""
import typing

class Pair(typing.NamedTuple):
    """Two numbers, ``first`` and ``second``."""

    first: int
    second: int

    def sum(self):
        {method}
        return self.first + self.second

    @property
    def swapped(self):
        {of_property}
        return Pair(self.second, self.first)

def double(x):
    {function}
    return 2 * x

def _hidden(x):
    return x
'''


def module(method='"""Their sum."""', of_property='"""The other way."""', function='"""Twice x."""', all=None):
    made = types.ModuleType("sample")
    exec(SOURCE.format(method=method, of_property=of_property, function=function), vars(made))
    if all is not None:
        made.__all__ = all
    return made


class Undocumented(unittest.TestCase):
    def test_nothing_in_what_is_right(self):
        self.assertEqual(reference.undocumented(module()), [])
        paths = [path for path, _ in reference.public_names(module())]
        self.assertEqual(paths, ["sample.Pair", "sample.Pair.sum", "sample.Pair.swapped", "sample.double"])

    def test_each_kind_of_name(self):
        self.assertEqual(reference.undocumented(module(method="pass")), ["sample.Pair.sum"])
        self.assertEqual(reference.undocumented(module(of_property="pass")), ["sample.Pair.swapped"])
        self.assertEqual(reference.undocumented(module(function="pass")), ["sample.double"])

    def test_what_a_module_publishes(self):
        self.assertEqual(reference.undocumented(module(function="pass", all=["Pair"])), [])
        self.assertEqual(reference.undocumented(module(all=["_hidden"])), ["sample._hidden"])

    def test_a_signature_says_nothing(self):
        self.assertEqual(reference.undocumented(module(function='"double(x: int) -> int"')), ["sample.double"])


class Headers(unittest.TestCase):
    def test_comment_and_declarations(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "vapor/core/room").mkdir(parents=True)
            (root / "vapor/core/room/one.h").write_text(
                "// What it is: a * b, `x_y`.\n#pragma once\n\n#include <vector>\n\nnamespace vapor {\n\n"
                "// Doubles.\nint twice(int x);\n\nclass A {\n public:\n  int b();\n\n private:\n  struct C {\n"
                "    int d;\n  };\n  int e_;\n};\n\n}  // namespace vapor\n"
            )
            page = reference.headers_of(root, "vapor/core")
        self.assertEqual(
            page,
            "## core/room/one.h\n\nWhat it is: a \\* b, `x_y`.\n\n`#include <vapor/core/room/one.h>`\n\n"
            "```cpp\n// Doubles.\nint twice(int x);\n\nclass A {\n public:\n  int b();\n};\n```",
        )


if __name__ == "__main__":
    unittest.main()
