"""A server whose workers tell each client their process, until it says something."""

import os
import socket
import sys
import threading
from contextlib import closing
from time import monotonic

from pbm_holomino.resident.listeners import Listeners
from pbm_holomino.resident.signals import Signals
from pbm_holomino.resident.workers import Handed, Workers, handed


def work(channel: socket.socket) -> None:
    for client in handed(channel):
        threading.Thread(target=speak, args=(client,), daemon=True).start()


def speak(client: Handed) -> None:
    client.socket.sendall(f"{os.getpid()}\n".encode())
    client.socket.recv(1)
    client.leave()
    client.socket.close()


def die(channel: socket.socket) -> None:
    """Say when, and end."""
    os.write(1, f"{monotonic()}\n".encode())
    os._exit(3)


if __name__ == "__main__":
    path, kind, count, most = sys.argv[1:]
    with closing(Listeners(path, None)) as at:
        act = {"work": work, "die": die}[kind]
        workers = Workers(at, act, int(most), Signals(), lambda: True)
        workers.run(int(count))
