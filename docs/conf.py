# The site, built by scripts/docs with Sphinx: the generator of this field that is best kept, whose
# search works in the built files without a server, and whose warnings can be made errors.
#
# The sources are the whole repository (srcdir is the root), so that the pages of experiments/ stay
# where they are and every relative link means the same in the site and on a code host.
import importlib
import os
import pathlib
import re
import sys

from sphinx.errors import ConfigError
from sphinx.util import logging

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The built package, which scripts/docs names.
PACKAGE = os.environ.get("VAPOR_PACKAGE", str(ROOT / "build" / "release" / "python"))
sys.path[:0] = [str(ROOT / "docs"), PACKAGE]

import reference  # noqa: E402

try:
    import vapor  # noqa: F401
except ImportError as error:
    raise ConfigError(f"the built package is not in {PACKAGE}: {error}") from None

project = "VAPOR"
author = "the VAPOR contributors"
version = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]

# The pages of agents, in the order of their table.
AGENTS = list(dict.fromkeys("docs/" + page for page in re.findall(r"\]\((algorithms/[\w-]+)\.md\)", (ROOT / "docs/agents.md").read_text())))

# The navigation. A page that is included below and not named here is a warning, and thus an error.
NAVIGATION = {
    "Start here": ["docs/first-steps", "docs/can-i", "docs/notation"],
    "Using it": [
        "docs/solver",
        "docs/derivatives",
        "docs/reliability",
        "docs/problem-file",
        "docs/beliefs",
        "docs/environments",
        "docs/agents",
        "docs/deep",
        "docs/atari",
        "docs/records",
        "docs/sweep",
        "docs/python",
        "docs/gymnasium",
        "docs/python-deep",
        "docs/command",
        "docs/report",
        "docs/viewer",
        "examples/README",
    ],
    "Solver methods": [
        "docs/algorithms/newton",
        "docs/algorithms/newton-cg",
        "docs/algorithms/saddle-point",
        "docs/algorithms/frank-wolfe",
        "docs/algorithms/regularisers",
    ],
    "Agents, one by one": AGENTS,
    "Experiments": [
        "experiments/README",
        *sorted(f"experiments/{page.parent.name}/README" for page in ROOT.glob("experiments/*/README.md")),
    ],
    "Reference": [
        "docs/python-reference",
        *(f"docs/headers/{folder.name}" for folder in sorted(ROOT.glob("vapor/*/"))),
    ],
    "How to": sorted(f"docs/how-to/{page.stem}" for page in ROOT.glob("docs/how-to/*.md")),
    "About": [
        "docs/benchmarks",
        "benchmarks/peers/README",
        "data/README",
        "tests/reference/README",
        "docs/paper-slips",
        "SECURITY",
        "CONTRIBUTING",
        "CHANGELOG",
    ],
}

root_doc = "docs/README"
include_patterns = [
    "docs/**.md",
    "experiments/**.md",
    "examples/README.md",
    "benchmarks/peers/README.md",
    "data/README.md",
    "tests/reference/README.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
]
# Folders that hold none of them, so that they are not walked through; sources stay reachable for
# links, which the site turns into downloads of the file.
exclude_patterns = ["build", "out", ".git", "vapor", "apps", "scripts", "cmake"]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
autodoc_member_order = "bysource"
autodoc_default_options = {"undoc-members": True}
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 80
highlight_language = "none"  # blocks without a language are formulas and sessions
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3  # the anchors that code hosts make
myst_links_external_new_tab = False

html_theme = "furo"
html_title = f"VAPOR {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_search_summary = False  # summaries are fetched, which files may not
html_copy_source = False
html_domain_indices = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "monokai"


# Source files that pages name, e.g. `vapor/solver/newton.h`, by what stands before them.
SOURCE = re.compile(r"(?<!\[)`((?:vapor|apps|examples|experiments|tests|scripts)/[\w./-]+\.\w+)`(?!\])")


def prepare(app, docname, source):
    """Gives the home page its navigation, and source files that a page names their links."""
    if docname == root_doc:
        source[0] += "".join(
            f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n"
            + "".join(f"/{page}\n" for page in pages)
            + "```\n"
            for caption, pages in NAVIGATION.items()
        )
    here = pathlib.PurePosixPath(docname).parent
    up = "../" * len(here.parts)

    def linked(match):
        file = match[1]
        return f"[`{file}`]({up}{file})" if (ROOT / file).is_file() else match[0]

    source[0] = reference.HEADERS.sub(
        lambda match: reference.headers_of(ROOT, match[1]), source[0]
    )
    # Not inside blocks of code.
    parts = re.split(r"(^```.*?^```$)", source[0], flags=re.MULTILINE | re.DOTALL)
    source[0] = "".join(part if part.startswith("```") else SOURCE.sub(linked, part) for part in parts)


def write_entry(app, error):
    """The address of the folder leads to the home page."""
    if error is None:
        home = f"{root_doc}.html"
        (pathlib.Path(app.outdir) / "index.html").write_text(
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>VAPOR</title>'
            f'<meta http-equiv="refresh" content="0; url={home}"><a href="{home}">VAPOR</a></html>\n'
        )


def skip_fields(app, what, name, value, skip, options):
    """Fields of tuples and dataclasses are told in the docstrings of their classes."""
    return True if what == "class" and reference.is_field(type, value) else None


def check_docstrings(app):
    """A warning, and thus an error, for each public name of the reference that says nothing."""
    page = (ROOT / "docs" / "python-reference.md").read_text()
    for name in re.findall(r"automodule:: ([\w.]+)", page):
        for path in reference.undocumented(importlib.import_module(name)):
            logging.getLogger(__name__).warning("%s has no docstring", path)


def setup(app):
    app.connect("builder-inited", check_docstrings)
    app.connect("autodoc-skip-member", skip_fields)
    app.connect("source-read", prepare)
    app.connect("build-finished", write_entry)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
