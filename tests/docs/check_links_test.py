#!/usr/bin/env python3
"""check_links.py finds each kind of fault, and nothing in what is right."""
import pathlib
import tempfile
import unittest

import check_links


class CheckLinks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name).resolve()
        self.write("vapor/solver/newton.h", "")
        self.write("docs/other.md", "# Other\n## Two words, `code`\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def faults(self, text, name="docs/page.md"):
        self.write(name, text)
        return check_links.check(self.root)

    def test_good_page(self):
        self.assertEqual(self.faults("[a](other.md), [b](other.md#two-words-code), "
                                     "[`c`](../vapor/solver/newton.h), `solver/newton.h`, "
                                     "`vapor/solver/newton.h`, `vapor/solver`, <https://x.org>, "
                                     "[d](https://x.org), `experiments/NAME/README.md`"), [])

    def test_code_blocks_are_passed_over(self):
        self.assertEqual(self.faults("```\n[a](missing.md) `vapor/missing.h`\n```\n"), [])

    def test_missing_file(self):
        self.assertEqual(self.faults("[a](missing.md)"),
                         ["docs/page.md: link to missing.md: no such file"])

    def test_missing_heading(self):
        self.assertEqual(self.faults("[a](other.md#three)"),
                         ["docs/page.md: link to other.md#three: no such heading"])

    def test_missing_source(self):
        self.assertEqual(self.faults("`vapor/solver/oldton.h`, `solver/oldton.h`"),
                         ["docs/page.md: `solver/oldton.h`: no such file in vapor/",
                          "docs/page.md: `vapor/solver/oldton.h`: no such file"])

    def test_link_text_in_code_style(self):
        self.assertEqual(self.faults("[`a`](missing.md)"),
                         ["docs/page.md: link to missing.md: no such file"])

    def test_example_of_a_how_to_page_only(self):
        text = "The example is `x-y`. `vapor/env/x_y.h`"
        self.assertEqual(self.faults(text, "docs/how-to/page.md"), [])
        self.assertEqual(self.faults(text), ["docs/page.md: `vapor/env/x_y.h`: no such file"])


if __name__ == "__main__":
    unittest.main()
