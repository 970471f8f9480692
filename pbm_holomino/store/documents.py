"""Documents of a store, as data."""

from typing import Any

from pbm_holomino.store import yaml
from pbm_holomino.store.contract import Document, Store
from pbm_holomino.store.damage import corrupt


def read(store: Store, folder: str, name: str) -> Any:
    """The data in a document; None where there is no such document. Raises
    CorruptFile."""
    return data_of(folder, name, store.find(folder, name), store.noun)


def data_of(folder: str, name: str, document: Document | None, noun: str) -> Any:
    """The data in a document that was found. Raises CorruptFile, which calls it by
    this noun."""
    if document is None or document.text is None:
        return None
    try:
        return yaml.load(document.text)
    except ValueError as error:
        raise corrupt(folder, name, error, noun) from None
