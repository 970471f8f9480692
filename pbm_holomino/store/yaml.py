"""Strict YAML: text, lists and mappings, and nothing else.

Plain YAML reads `123:17` as 7397 and `no` as false, and a few hundred bytes of
it can cost seconds. Here every scalar is a string; aliases, tags, duplicate keys
and deep nesting are refused. It uses libyaml's events, which never recurse.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import yaml
from yaml import (
    CSafeDumper,
    CSafeLoader,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

MOST_BYTES = 5 << 20  # 1.0 filled boards up to 4 << 20, and they can be played on
_DEEPEST = 8


def load(text: bytes) -> Any:
    """The data in a file: a string, or lists and mappings of strings. Raises
    ValueError, which says where the text is not strict YAML."""
    if len(text) > MOST_BYTES:
        raise ValueError(f"larger than {MOST_BYTES} bytes")
    try:
        return _document(yaml.parse(text, Loader=CSafeLoader))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        words = " ".join(str(error).split())
        raise ValueError(words.replace('in "<byte string>", ', "at ")) from None


def _document(events: Iterator[Event]) -> Any:
    # event by event: a text that is nested too deeply is not even read to its end
    next(events)
    if not isinstance(next(events), DocumentStartEvent):
        return ""  # a document with nothing in it
    data = _value(next(events), events, 0)
    next(events)
    if not isinstance(next(events), StreamEndEvent):
        raise ValueError("it holds more than one document")
    return data


def _value(event: Event, events: Iterator[Event], depth: int) -> Any:
    if depth > _DEEPEST:
        raise ValueError(f"{_where(event)}: nested too deeply")
    if getattr(event, "anchor", None) or getattr(event, "tag", None):
        raise ValueError(f"{_where(event)}: anchors, aliases and tags are not allowed")
    if isinstance(event, ScalarEvent):
        return event.value
    if isinstance(event, SequenceStartEvent):
        return _sequence(events, depth)
    return _mapping(events, depth)


def _sequence(events: Iterator[Event], depth: int) -> list[Any]:
    items = []
    while not isinstance(event := next(events), SequenceEndEvent):
        items.append(_value(event, events, depth + 1))
    return items


def _mapping(events: Iterator[Event], depth: int) -> dict[str, Any]:
    items: dict[str, Any] = {}
    while not isinstance(event := next(events), MappingEndEvent):
        key = _value(event, events, depth + 1)
        if not isinstance(key, str) or key in items:
            raise ValueError(f"{_where(event)}: not a key, or a duplicate: {key!r}")
        items[key] = _value(next(events), events, depth + 1)
    return items


def _where(event: Event) -> str:
    return f"line {event.start_mark.line + 1}" if event.start_mark else "somewhere"


def dump(data: Any) -> bytes:
    """The text of such data; a string of several lines is a literal block."""
    events = [StreamStartEvent(), DocumentStartEvent()]
    _add(events, data)
    events += [DocumentEndEvent(), StreamEndEvent()]
    text = yaml.emit(events, Dumper=CSafeDumper, width=1 << 20, allow_unicode=True)
    return str(text).encode("utf-8")


def _add(events: list[Event], data: Any) -> None:
    """Append the events of such data."""
    if isinstance(data, str):  # as most is
        events.append(_scalar(data))
    elif isinstance(data, dict):
        events.append(MappingStartEvent(None, None, True, flow_style=not data))
        for key, value in data.items():
            events.append(_key(key))
            _add(events, value)
        events.append(_MAPPING_END)
    else:
        events.append(SequenceStartEvent(None, None, True, flow_style=not data))
        for value in data:
            _add(events, value)
        events.append(_SEQUENCE_END)


def _scalar(text: str) -> ScalarEvent:
    style = "|" if "\n" in text else None
    return ScalarEvent(None, None, (True, True), text, style=style)


_key = lru_cache(maxsize=1000)(_scalar)  # most files have the same keys
_MAPPING_END, _SEQUENCE_END = MappingEndEvent(), SequenceEndEvent()
