"""The tutorial runs from top to bottom, and its pictures are charts."""

import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from vapor.charts import MIME

TUTORIAL = Path(__file__).parents[2] / "examples" / "tutorial.ipynb"


def test_the_tutorial_runs(tmp_path: Path) -> None:
    notebook = nbformat.read(TUTORIAL, as_version=4)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute(env={**os.environ, "JUPYTER_RUNTIME_DIR": str(tmp_path)})
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    charts = [output for output in outputs if MIME in output.get("data", {})]
    assert len(charts) == 3
    text = "".join(output.get("text", "") for output in outputs)
    assert "treasure in a tenth of the first" in text
    assert not any(output["output_type"] == "error" for output in outputs)
