"""What is built beside the package: man pages, and what shells complete; catalogues
of other languages; a list of all that it needs (an SBOM); and archives that are the
same whoever makes them.

All else about the package is in setup.cfg.
"""

import gzip
import json
import os
import re
import sys
import tarfile
import time
import uuid
from collections.abc import Iterator
from email.message import Message
from email.parser import HeaderParser
from glob import glob
from typing import Any

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.install import install
from setuptools.command.sdist import sdist

SBOM = "pbm_holomino.cdx.json"


HERE = os.path.dirname(os.path.abspath(__file__))


class Build(build_py):
    """Also makes the catalogues of other languages that servers read."""

    def run(self) -> None:
        if glob(os.path.join(HERE, "pbm_holomino/languages/*/catalogue.po")):
            sys.path.append(os.path.join(HERE, "bin"))
            import catalogues

            for folder in catalogues.languages():
                catalogues.make(folder)
        super().run()


class Install(install):
    """Also writes what is made from the package, below the folder of its data."""

    def run(self) -> None:
        super().run()
        sys.path.insert(0, HERE)
        from pbm_holomino.owner import manual

        for path, text in manual.shared_files().items():
            whole = os.path.join(self.install_data, path)
            self.mkpath(os.path.dirname(whole))
            with open(whole, "w", encoding="ascii") as file:
                file.write(text)


class Wheel(bdist_wheel):
    """Has the SBOM where PEP 770 wants it, and files that everybody may read, whatever
    the umask was."""

    def write_wheelfile(self, wheelfile_base: str, *rest: Any, **more: Any) -> None:
        super().write_wheelfile(wheelfile_base, *rest, **more)
        folder = os.path.join(wheelfile_base, "sboms")
        os.makedirs(folder, exist_ok=True)
        write_sbom(os.path.join(wheelfile_base, "METADATA"), folder)
        for path in _files(self.bdist_dir):
            os.chmod(path, _mode(path))


class SourceArchive(sdist):
    """Has the SBOM at its top. With SOURCE_DATE_EPOCH, everything in it is of that
    time, and nothing says who made it."""

    def make_archive(self, base_name: str, format: str, *rest: Any, **more: Any) -> str:
        folder = more["base_dir"]
        write_sbom(os.path.join(folder, "PKG-INFO"), folder)
        epoch = _epoch()
        if epoch is None or format != "gztar":
            made: str = super().make_archive(base_name, format, *rest, **more)
            return made
        with (
            open(f"{base_name}.tar.gz", "wb") as file,
            gzip.GzipFile("", "wb", 9, file, mtime=epoch) as packed,
            tarfile.open(mode="w", fileobj=packed, format=tarfile.PAX_FORMAT) as tar,
        ):
            for path in sorted(_files(folder)):
                info = tarfile.TarInfo(path)
                info.mode, info.mtime = _mode(path), epoch
                info.size = os.path.getsize(path)
                with open(path, "rb") as content:
                    tar.addfile(info, content)
        return file.name


def _files(folder: str) -> Iterator[str]:
    for inner, _, names in os.walk(folder):
        yield from (os.path.join(inner, name) for name in names)


def _mode(path: str) -> int:
    return (
        0o755 if os.access(path, os.X_OK) and os.stat(path).st_mode & 0o100 else 0o644
    )


def _epoch() -> int | None:
    """The time that the archives are to have, in seconds."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    return int(said) if said else None


# The SBOM, in CycloneDX 1.6 (ECMA-424)


def write_sbom(metadata: str, folder: str) -> None:
    """Write the SBOM of a package with this file of core metadata into a folder."""
    with open(metadata, encoding="utf-8") as file:
        told = HeaderParser().parse(file)
    with open(os.path.join(folder, SBOM), "w", encoding="ascii") as file:
        json.dump(sbom(told), file, indent=1)
        file.write("\n")


def sbom(metadata: Message) -> dict[str, Any]:
    """The package, the libraries that it needs, and those that its extras need."""
    name, version = metadata["Name"], metadata["Version"]
    needs: dict[str, list[_Need]] = {}
    for need in map(_Need, metadata.get_all("Requires-Dist", [])):
        if _plain(need.name) != _plain(name):  # not an extra that consists of others
            needs.setdefault(_plain(need.name), []).append(need)
    libraries = [_library(needs[library]) for library in sorted(needs)]
    us, refs = _purl(name, version), [one["bom-ref"] for one in libraries]
    run_time = [one["bom-ref"] for one in libraries if one["scope"] != "excluded"]
    component = {
        "type": "application",
        "bom-ref": us,
        "name": name,
        "version": version,
        "description": metadata["Summary"],
        "licenses": [{"expression": metadata["License-Expression"]}],
        "purl": us,
    }
    told: dict[str, Any] = {"lifecycles": [{"phase": "build"}], "component": component}
    if (epoch := _epoch()) is not None:
        when = time.gmtime(epoch)
        told = {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", when), **told}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, us)}",
        "version": 1,
        "metadata": told,
        "components": libraries,
        "dependencies": [
            {"ref": us, "dependsOn": run_time},
            *({"ref": r} for r in refs),
        ],
    }


class _Need:
    """A requirement of the core metadata, `uvicorn<1,>=0.40; extra == "web"`: the
    library, the one version that will do, if it is one, and the extra, if any."""

    def __init__(self, line: str) -> None:
        self.requirement, _, marker = map(str.strip, line.partition(";"))
        self.name = re.split(r"[^\w.-]", self.requirement)[0]
        self.version = self.requirement.partition("==")[2]
        self.extra = marker.removeprefix("extra == ").strip("\"'")


def _library(needs: list[_Need]) -> dict[str, Any]:
    """A library, and all that is required of it. What only tests need is `excluded`,
    as CycloneDX calls it."""
    name, version = needs[0].name, needs[0].version
    extras = {need.extra for need in needs}
    scope = "excluded" if extras == {"test"} else "optional"
    told = {
        "type": "library",
        "bom-ref": _purl(name, version),
        "name": name,
        "scope": "required" if "" in extras else scope,
        "purl": _purl(name, version),
        "properties": [
            {
                "name": f"requires{need.extra and f'[{need.extra}]'}",
                "value": need.requirement,
            }
            for need in needs
        ],
    }
    return {**told, "version": version} if version else told


def _plain(name: str) -> str:
    """A name as the Python Package Index compares it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _purl(name: str, version: str) -> str:
    return f"pkg:pypi/{_plain(name)}{version and f'@{version}'}"


if __name__ == "__main__":
    setup(
        cmdclass={
            "build_py": Build,
            "install": Install,
            "bdist_wheel": Wheel,
            "sdist": SourceArchive,
        }
    )
