"""The public names of the packages that other programs import."""

import inspect
from types import ModuleType

import pytest

import fortythieves
import fortythieves_client


@pytest.mark.parametrize("package", [fortythieves, fortythieves_client])
def test_every_public_name_exists_and_is_documented(package: ModuleType) -> None:
    undocumented = []
    for name in package.__all__:
        thing = getattr(package, name)
        if callable(thing) and not inspect.getdoc(thing):
            undocumented.append(name)
        for key, member in vars(thing).items() if inspect.isclass(thing) else ():
            is_public = not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))
            if is_public and not inspect.getdoc(member):
                undocumented.append(f"{name}.{key}")
    assert undocumented == []
