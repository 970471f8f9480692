"""The folders of a store: paths, names, and errors of the disk in the owner's words."""

import os
import stat
from contextlib import suppress

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store import location
from pbm_holomino.store.files.disk import sync

CLOSED = "closed"  # the file that closes a store to writers (see closing.py)
_OPEN = 0o077  # in a mode: other accounts can look into it, or write there
_EMPTY = "lost+found"  # all that is on a new disk
_BLOCK = 512  # bytes: the unit of st_blocks


class _Trouble:
    """In this block an OSError becomes a StoreTrouble."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, OSError):
            file = error.filename or "The store"
            file = file.replace("//", "/")  # in a folder without a name
            raise StoreTrouble(
                f"{file} cannot be {self._what} "
                f"({error.strerror}): please try again later, or set PBM_GAMES to a "
                "folder of your own."
            ) from None


READING, WRITING = _Trouble("read"), _Trouble("written")


class Folders:
    """The folders below a root. A folder without a name is the root itself."""

    def __init__(self, root: str) -> None:
        self.root = root

    def path(self, *parts: str) -> str:
        """Where a file or folder is."""
        return "/".join((self.root, *parts))  # os.path.join takes six times as long

    def filenames(self, folder: str) -> list[str]:
        """All filenames in a folder, in no order; none where it is missing."""
        with READING:
            try:
                return os.listdir(self.path(folder))
            except FileNotFoundError:
                return []

    def by_age(self, folder: str, kind: str) -> list[tuple[os.stat_result, str]]:
        """The files whose names end so, and do not begin with a dot, with their paths,
        the oldest first."""
        files = []
        with READING:
            for filename in self.filenames(folder):
                if filename.endswith(kind) and not filename.startswith("."):
                    with suppress(FileNotFoundError):  # somebody may collect it
                        path = self.path(folder, filename)
                        files.append((os.stat(path), path))
        return sorted(files, key=lambda file: file[0].st_mtime_ns)

    def has(self, folder: str, filename: str) -> bool:
        """Whether there is a file of this whole name."""
        with READING:
            try:  # os.path.exists says no where a folder cannot be read
                os.stat(self.path(folder, filename))
            except FileNotFoundError:
                return False
            return True

    def make(self, folder: str) -> None:
        """Make a folder durably, unless it exists; from the first one on, the root is
        closed to other accounts. What the disk refuses is raised as OSError. Raises
        StoreTrouble where the root is a folder for other things, too."""
        path = self.path(folder)
        if not os.path.isdir(path):
            is_new = not os.path.isdir(self.root)
            if not is_new:
                self._check_is_ours()
            os.makedirs(self.root, 0o700, exist_ok=True)  # never open to others
            os.makedirs(path, 0o700, exist_ok=True)
            os.chmod(self.root, 0o700)
            sync(self.root)
            if is_new:
                sync(os.path.dirname(os.path.abspath(self.root)))

    def _check_is_ours(self) -> None:
        """Raise StoreTrouble for a root that others use, such as /tmp: it is not ours
        to close."""
        mode = os.stat(self.root).st_mode
        is_shared = bool(mode & stat.S_ISVTX)
        if not is_shared and (
            not mode & _OPEN
            or all(map(_is_no_matter, os.listdir(self.root)))
            or location.is_store(self.root)
            or location.is_checkout_store(self.root)
        ):
            return
        raise StoreTrouble(
            f"{self.root} is not for games alone, and other accounts can look into it: "
            "please set PBM_GAMES to a folder of its own, such as "
            f"{self.root.rstrip('/')}/games."
        )

    def size(self) -> int:
        """How many bytes of the disk all files take up."""
        blocks = 0
        for folder, _, names in os.walk(self.root):
            for name in names:
                with suppress(OSError):  # it has gone meanwhile
                    blocks += os.lstat(os.path.join(folder, name)).st_blocks
        return blocks * _BLOCK

    def sync(self, folder: str) -> None:
        """Make the names in a folder durable, also those that another process gave
        before it died."""
        with WRITING:
            sync(self.path(folder))


def _is_no_matter(name: str) -> bool:
    """Whether a folder with this in it is as good as empty."""
    return name == _EMPTY or name.startswith(".")
