"""scripts/tables on a small tree: tables are written from findings, and what is stale is found."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "tables"

FOUND = {
    "rows": [
        {"agent": "a", "depth": 10, "seeds": 4, "solved": 19.52, "solved_se": 1.23, "solved_fraction": 1.0},
        {"agent": "b", "depth": 10, "seeds": 4, "solved": 1350.0, "solved_se": 150.0, "solved_fraction": 0.25},
        {"agent": "a", "depth": 20, "seeds": 4, "solved": None, "solved_se": None, "solved_fraction": 0.0},
    ],
    "spans": [
        {"agent": "a", "seeds": 3, "x_seeds": 3, "x_from": 7, "x_to": 12000, "bad": 2, "bad_reached": 1, "x": 1},
        {"agent": "b", "seeds": 3, "x_seeds": 2, "x_from": 7, "x_to": 8, "bad": 0, "bad_reached": 0, "x": 1},
        {"agent": "c", "seeds": 3, "x_seeds": 0, "x_from": None, "x_to": None, "bad": 1, "bad_reached": 0, "x": 1},
    ],
    "old": [{"agent": "c", "by_seed": [12345, None]}],
    "summary": {"ours": "at depth 10 {rows agent=a depth=10: solved:fixed0} episodes"},
    "carried_over": {"old": {"from": "a page", "command": "vapor x", "date": "2026-01-02"}},
}

PAGE = """# x
<!-- table {"of": "rows", "row": ["depth"], "across": "agent", "cell": "solved:capped3"} -->
stale
<!-- end -->
<!-- table {"of": "old", "columns": ["agent", "by seed=by_seed"], "code": ["agent"]} -->
<!-- end -->
<!-- table {"summaries": ["x", "*"], "link": true, "columns": ["=name", "ours=ours"]} -->
<!-- end -->
<!-- table {"of": "spans", "columns": ["agent", "x:span", "bad:parts"]} -->
<!-- end -->
text
"""

WRITTEN = """# x
<!-- table {"of": "rows", "row": ["depth"], "across": "agent", "cell": "solved:capped3"} -->
| depth | a | b |
| --- | --- | --- |
| 10 | 19.5 ± 1.2 | 1350 ± 150 (1 of 4) |
| 20 | - | |
<!-- end -->
<!-- table {"of": "old", "columns": ["agent", "by seed=by_seed"], "code": ["agent"]} -->
| agent | by seed |
| --- | --- |
| `c` | 12345 - |

Carried over: 2026-01-02, `vapor x`.
<!-- end -->
<!-- table {"summaries": ["x", "*"], "link": true, "columns": ["=name", "ours=ours"]} -->
| | ours |
| --- | --- |
| [`x`](x/README.md) | at depth 10 20 episodes |
| [`a`](a/README.md) | nothing |
<!-- end -->
<!-- table {"of": "spans", "columns": ["agent", "x:span", "bad:parts"]} -->
| agent | x | bad |
| --- | --- | --- |
| a | 7 to 12,000 | 1 of 2 |
| b | 7 to 8 (2 of 3) | - |
| c | - (0 of 3) | 0 of 1 |
<!-- end -->
text
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "scripts").mkdir()
        shutil.copy(SCRIPT, root / "scripts" / "tables")
        page = root / "experiments" / "x" / "README.md"
        page.parent.mkdir(parents=True)
        found = page.with_name("findings.json")
        found.write_text(json.dumps(FOUND))
        page.write_text(PAGE)
        for name, other in {"a": {"summary": {"ours": "nothing"}}, "b": {}}.items():
            (root / "experiments" / name).mkdir()
            (root / "experiments" / name / "findings.json").write_text(json.dumps(other))

        def tables(*words):
            return subprocess.run(
                [sys.executable, root / "scripts" / "tables", *words], capture_output=True, text=True
            )

        def expect(condition, about):
            if not condition:
                sys.exit(f"{about}\n{page.read_text()}")

        stale = tables("--check")
        expect(stale.returncode == 1 and "experiments/x/README.md" in stale.stderr, "stale is not found")
        expect(page.read_text() == PAGE, "--check wrote")
        expect(tables().returncode == 0 and page.read_text() == WRITTEN, "not what was meant")
        expect(tables("--check").returncode == 0, "fresh is called stale")
        page.write_text(WRITTEN.replace("19.5", "18.5"))
        expect(tables("--check").returncode == 1, "a number typed by hand is not found")
        for wrong in ('{"of": "nothing", "columns": ["a"]}', '{"of": "rows", "columns": ["solved:odd"]}'):
            page.write_text(f"<!-- table {wrong} -->\n<!-- end -->\n")
            refused = tables("--check")
            expect(refused.returncode == 1 and "Traceback" not in refused.stderr, f"{wrong}: {refused.stderr}")
    print("tables are written, and stale ones found")


main()
