"""Installs with the package what is made from it: man pages, and what shells complete.

All else about the package is in setup.cfg.
"""

import os
import sys

from setuptools import setup
from setuptools.command.install import install


class Install(install):
    """Also writes what is made from the package, below the folder of its data."""

    def run(self) -> None:
        super().run()
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        from pbm_holomino.owner import manual

        for path, text in manual.shared_files().items():
            whole = os.path.join(self.install_data, path)
            self.mkpath(os.path.dirname(whole))
            with open(whole, "w", encoding="ascii") as file:
                file.write(text)


setup(cmdclass={"install": Install})
