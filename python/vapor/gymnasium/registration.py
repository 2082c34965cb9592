"""The environments in Gymnasium's registry.

Gymnasium finds no plugins by itself, so ``import vapor`` registers. Importing Gymnasium for that
would cost more than all of this package: if it is not there yet, it is waited for.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from .. import _core


def class_name(kind: str) -> str:
    """``deep_sea`` -> ``DeepSea``."""
    return "".join(part.capitalize() for part in kind.split("_"))


def plain_classes(base: type[Any], suffix: str = "") -> dict[str, type[Any]]:
    """By name, a class for every kind of environment that adds nothing to ``base``."""
    classes = {}
    for kind, settings, summary in _core.environment_kinds():
        name = class_name(kind) + suffix
        about = f"{summary}. Settings: {settings}."
        members = {"kind": kind, "__doc__": about, "__module__": base.__module__}
        classes[name] = type(name, (base,), members)
    return classes


def register() -> None:
    """Registers every environment of the library, as ``vapor/DeepSea-v0`` and so on."""
    import gymnasium

    for kind, _, _ in _core.environment_kinds():
        name = class_name(kind)
        gymnasium.register(
            id=f"vapor/{name}-v0",
            entry_point=f"vapor.gymnasium.single:{name}",
            vector_entry_point=f"vapor.gymnasium.vector:{name}Vector",
        )


class _WhenImported(MetaPathFinder):
    """Stands in the way of ``import gymnasium`` until it has succeeded, and registers after it.

    Whoever only asks whether Gymnasium is there gets the same spec, and nothing happens.
    """

    def __init__(self) -> None:
        self._is_asking = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "gymnasium" or self._is_asking:
            return None
        self._is_asking = True  # the finders after this one
        try:
            spec = find_spec(fullname)
        finally:
            self._is_asking = False
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_register(module: ModuleType) -> None:
            execute(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
                register()

        # On the one loader, so that all else about it stays as it is.
        setattr(spec.loader, "exec_module", execute_and_register)  # noqa: B010 mypy: a method
        return spec


def register_when_imported() -> None:
    """Registers now if Gymnasium is imported, else as soon as it is."""
    if "gymnasium" in sys.modules:
        register()
    elif not any(isinstance(finder, _WhenImported) for finder in sys.meta_path):
        sys.meta_path.insert(0, _WhenImported())
