"""Files that somebody else wrote: nothing in them is run as code, and no path in them leads out of
the folder they are in.

    foreign_test.py ROOT VAPOR
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT, VAPOR = Path(sys.argv[1]), sys.argv[2]

# What runs text or bytes as code, or unpickles them. `literal_eval` reads literals alone.
RUNS_CODE = {
    ".py": r"(?<!literal_)\beval\(|\bexec\(|\bpickle\.loads?\(|\bcloudpickle\.loads?\(|\bmarshal\.|"
    r"allow_pickle=True|yaml\.(unsafe_)?load\(|torch\.load\(|shell=True|os\.system\(|os\.popen\(",
    ".cpp": r"\bsystem\(|\bpopen\(|torch::load|torch::jit::load|torch::pickle_load",
    ".h": r"\bsystem\(|\bpopen\(|torch::load|torch::jit::load|torch::pickle_load",
    ".js": r"\beval\(|new Function|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write",
}


def code_that_runs(name, text):
    pattern = RUNS_CODE.get(Path(name).suffix)
    lines = enumerate(text.splitlines(), 1)
    return [
        f"{name}:{k}: {line.strip()}" for k, line in lines if pattern and re.search(pattern, line)
    ]


class Code(unittest.TestCase):
    def test_nothing_that_is_installed_runs_what_it_reads(self):
        listed = subprocess.run(
            ["git", "ls-files", "vapor", "apps", "python/vapor", "python/bindings"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()
        self.assertGreater(len(listed), 300)
        found = [
            line for name in listed for line in code_that_runs(name, (ROOT / name).read_text())
        ]
        self.assertEqual(found, [])

    def test_the_search_finds_what_it_is_for(self):
        for name, text in [
            ("a.py", "x = eval(text)"),
            ("a.py", "pickle.load(file)"),
            ("a.py", "np.load(f, allow_pickle=True)"),
            ("a.cpp", "std::system(line)"),
            ("a.js", "node.innerHTML = name"),
        ]:
            self.assertEqual(len(code_that_runs(name, text)), 1, text)
        self.assertEqual(code_that_runs("a.py", "ast.literal_eval(text)"), [])


def vapor(folder, *words):
    return subprocess.run([VAPOR, *words], cwd=folder, capture_output=True, text=True, timeout=120)


def files_below(folder):
    return sorted(str(p.relative_to(folder)) for p in Path(folder).rglob("*") if not p.is_dir())


class Paths(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name) / "outside" / "inside"
        self.folder.mkdir(parents=True)
        self.outside = self.folder.parent / "precious"
        self.outside.write_text("precious")

    def write(self, name, value):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))

    def expect_only_inside(self):
        self.assertEqual(self.outside.read_text(), "precious")
        for name in files_below(self.folder.parent):
            self.assertTrue(name == "precious" or name.startswith("inside/"), name)

    def test_names_of_sweeps(self):
        for name in ["..", "../x", "/tmp/x", "a/../../x", ".hidden", "", "a\\u0000b"]:
            self.write(
                "s.toml",
                f'name = "{name}"\nenvs = "deep_sea:depth=3"\nagents = "vapor"\nepisodes = 2\n',
            )
            done = vapor(self.folder, "sweep", "s.toml", "--out", "out", "--quiet")
            self.assertEqual(done.returncode, 2, (name, done.stderr))
            self.assertFalse((self.folder / "out").exists(), name)
        self.expect_only_inside()

    def test_specs_with_paths(self):
        for spec in ["../x", "deep_sea:depth=3/../../../x", "/etc/passwd", "deep_sea:../x=1"]:
            done = vapor(
                self.folder,
                "run",
                "--env",
                spec,
                "--agent",
                "vapor",
                "--episodes",
                "2",
                "--out",
                "out",
                "--quiet",
            )
            self.assertEqual(done.returncode, 2, (spec, done.stderr))
        self.expect_only_inside()

    def test_names_of_findings(self):
        for name in ["../../x", "/tmp/x", "..", "a/b", "x\x00y"]:
            self.write(
                "runs/findings.json",
                {
                    "format": "vapor-findings",
                    "format_version": 1,
                    "experiment": name,
                    "command": "x",
                    "rows": [{"agent": "a", "episodes": 1}],
                    name: [{"b": 1}],
                },
            )
            done = vapor(self.folder, "report", "runs", "--out", "report", "--quiet")
            self.assertEqual(done.returncode, 0, (name, done.stderr))
            self.expect_only_inside()
            for file in files_below(self.folder / "report"):
                self.assertRegex(file, r"^(index\.html|data/[A-Za-z0-9_.+=-]+\.csv)$")

    def test_folders_of_a_manifest(self):
        self.write(
            "runs/sweep.json",
            {
                "format": "vapor-sweep",
                "format_version": 1,
                "cells": [
                    {"folder": "../../secret", "definition": {}},
                    {"folder": "/etc", "definition": {}},
                ],
            },
        )
        self.write("runs/findings.json", {"experiment": "x", "rows": [{"agent": "a", "n": 1}]})
        self.write("../secret/run.json", "{}")
        done = vapor(self.folder, "report", "runs", "--out", "report", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.folder / "report/index.html").read_text()
        self.assertNotIn("secret", page)

    # A record folder with links in it, taken up again: what they lead to stays as it is.
    def test_links_in_a_record(self):
        words = [
            "run",
            "--env",
            "deep_sea:depth=3",
            "--agent",
            "vapor",
            "--episodes",
            "4",
            "--out",
            "out",
            "--quiet",
        ]
        for name in [
            "run.json",
            "run.json.tmp",
            "episodes.csv",
            "timing.csv",
            "checkpoint",
            "checkpoint.tmp",
            "lock",
        ]:
            folder = self.folder / "out" / "seed-1"
            subprocess.run(["rm", "-rf", str(self.folder / "out")], check=True)
            folder.mkdir(parents=True)
            os.symlink(self.outside, folder / name)
            done = vapor(self.folder, *words)
            self.assertIn(done.returncode, (0, 2), (name, done.stderr))
            self.assertEqual(self.outside.read_text(), "precious", name)
        self.expect_only_inside()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
