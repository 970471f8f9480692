"""Named tuples whose classes are made quickly.

A command makes a hundred such classes before it does anything. The standard library
compiles a function for each; here, classes with the same number of fields share one,
which is compiled once. Type checkers take them for `typing.NamedTuple`. From Python
3.14 on, where annotations are evaluated late, they are just that.
"""

import sys
from collections import namedtuple
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING or sys.version_info >= (3, 14):
    from typing import NamedTuple as NamedTuple
else:
    from types import CodeType, FunctionType

    _MOST = 40  # fields
    _NUMBERED = namedtuple("_NUMBERED", [f"field_{i}" for i in range(_MOST)])
    # Reads a field by its number, whatever its name.
    _READERS = [vars(_NUMBERED)[name] for name in _NUMBERED._fields]

    @cache
    def _maker(number: int) -> CodeType:
        """What makes a tuple with this number of fields, whatever their names."""
        names = "".join(f"{name}, " for name in _NUMBERED._fields[:number])
        return eval(f"lambda _cls, {names}: new(_cls, ({names}))").__code__

    class _Made(type):
        """What makes the classes: the annotations of a class are its fields, and what
        is assigned to these their defaults."""

        def __new__(made, name, bases, namespace):
            base = bases[0]
            if not isinstance(base, _Made) or hasattr(base, "_fields"):
                return type.__new__(made, name, bases, namespace)
            fields = (*namespace.get("__annotations__", ()),)
            defaults = {
                name: namespace.pop(name) for name in fields if name in namespace
            }
            if fields[len(fields) - len(defaults) :] != (*defaults,):
                raise TypeError(f"{name}: a field without a default is after others")
            code = _maker(len(fields)).replace(co_varnames=("_cls", *fields))
            make = FunctionType(
                code, {"new": tuple.__new__}, "__new__", (*defaults.values(),)
            )
            namespace |= dict(zip(fields, _READERS, strict=False))
            namespace |= {
                "__slots__": (),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
                "__new__": make,
            }
            return type.__new__(made, name, bases, namespace)

    class NamedTuple(tuple, metaclass=_Made):
        """A tuple whose fields have names and types."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                expected = len(cls._fields)
                raise TypeError(f"{expected} values are needed, not {len(made)}")
            return made

        def _replace(self, /, **changes):
            values = map(changes.pop, self._fields, self)
            changed = tuple.__new__(type(self), values)
            if changes:
                raise ValueError(f"no such fields: {[*changes]}")
            return changed

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            values = [f"{name}={value!r}" for name, value in self._asdict().items()]
            return f"{type(self).__name__}({', '.join(values)})"

        def __getnewargs__(self):
            return (*self,)
