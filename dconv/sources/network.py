"""The state of the network during a build: hosts that are down, packages that apt offers."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterable
from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from dconv.model.values import dataclass
from dconv.settings.types import GitSource, SourceSetting, UrlSource

if TYPE_CHECKING:
    from dconv.sources.debian import Candidate

CONNECT_TIMEOUT = 3.0  # seconds for all hosts together
PORTS = {"http": 80, "https": 443, "git": 9418}

Address: TypeAlias = "tuple[str, int]"  # of a host: its name and a port


@dataclass(slots=True)
class Network:
    """The hosts at `addresses`; the first call of `is_down` connects to all of them at once.

    So a build without a network waits only once.  `candidates` are the packages that apt offers,
    by the names that the settings give.
    """

    addresses: frozenset[Address] = frozenset()
    candidates: dict[str, Candidate] = field(default_factory=dict)
    _down: frozenset[Address] | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def is_down(self, address: Address) -> bool:
        """Whether `address` is one of `addresses` and accepts no connection."""
        with self._lock:
            if self._down is None:
                self._down = unreachable(self.addresses, CONNECT_TIMEOUT)
            return address in self._down


def address_of(source: SourceSetting) -> Address | None:
    """The host and port that `source` connects to; None for local sources, ssh and apt."""
    match source:
        case UrlSource(address) | GitSource(address):
            try:
                parts = urlsplit(address)
                port = parts.port or PORTS.get(parts.scheme)
            except ValueError:  # not an address; reading the source reports it
                return None
            return (parts.hostname, port) if parts.hostname and port else None
        case _:
            return None


def unreachable(addresses: Iterable[Address], timeout: float) -> frozenset[Address]:
    """Those of `addresses` that accept no connection within `timeout` seconds.

    Nothing is known of hosts behind a proxy, so they count as reachable.
    """
    from urllib.request import getproxies, proxy_bypass  # imports HTTP

    proxies = getproxies()
    direct = frozenset(address for address in addresses if not proxies or proxy_bypass(address[0]))
    reachable: set[Address] = set()

    def connect(address: Address) -> None:
        try:
            socket.create_connection(address, timeout).close()
        except (OSError, ValueError):  # ValueError: not the name of a host
            return
        reachable.add(address)

    threads = [threading.Thread(target=connect, args=[address], daemon=True) for address in direct]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + timeout
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return direct - reachable
