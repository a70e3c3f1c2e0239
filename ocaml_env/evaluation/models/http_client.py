"""HTTP for models behind a server: open connections, time limits, and the environment's proxies.

Evaluations send thousands of small requests; with a fast server, a general client would use most of the time itself. So
this client has only the needed part of HTTP/1.1: POST, and a body of a known length, in chunks, or up to the end.
Connections and TLS are asyncio's: one thread holds them all.
"""

from __future__ import annotations

import asyncio
import base64
import ssl
import urllib.request
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.models.http_link import ROOM, Link
from ocaml_env.evaluation.models.http_response import HttpError, Response, read_response

__all__ = ["Connections", "shown"]

T = TypeVar("T")


class Connections:
    """Connections to one server, each kept for the next request.

    All requests come from one event loop; each has a connection of its own.

    Args:
        url: base of the requests' paths; a name and password in it go into a header, a query to the end.
        headers: headers of every request.
        timeout: seconds of one request, from its beginning to its last byte.

    Raises:
        ConfigError: if the environment names an unusable proxy.
    """

    def __init__(self, url: str, headers: Mapping[str, str], timeout: float) -> None:
        self._url = urlsplit(url)
        self._headers = {"Host": _host(self._url), "Accept-Encoding": "identity", **headers}
        if self._url.username is not None:
            self._headers["Authorization"] = _basic(self._url)
        self._timeout = timeout
        self._proxy = _proxy(self._url)
        if self._proxy is not None and self._url.scheme == "http" and self._proxy.username is not None:
            self._headers["Proxy-Authorization"] = _basic(self._proxy)
        self._tls = ssl.create_default_context() if self._url.scheme == "https" else None
        self._fixed = "".join(f"{name}: {value}\r\n" for name, value in self._headers.items())
        self._heads: dict[str, bytes] = {}
        self._idle: list[Link] = []
        self._scratch = memoryview(bytearray(ROOM))

    async def post(self, path: str, body: bytes, take: Callable[[Response], Awaitable[T]]) -> T:
        """Sends one request, and returns the reader's result from the response.

        Args:
            path: path after the address.
            body: body of the request.
            take: reads the response.

        Raises:
            HttpError: if there is no response.
        """
        link, response = self._idle_link(), None
        until = asyncio.get_running_loop().time() + self._timeout
        try:
            if link is None:
                async with asyncio.timeout_at(until):
                    link = await self._new()
            link.end_at(until)
            link.send(b"%sContent-Length: %d\r\n\r\n%s" % (self._head(path), len(body), body))
            response = await read_response(link)
            return await take(response)
        except TimeoutError:
            raise HttpError("no whole answer within the time limit") from None
        except OSError as error:
            raise HttpError(f"{type(error).__name__}: {error}") from None
        finally:
            if link is not None:
                link.end_at(None)
                if response is not None and response.whole and response.lasts:
                    self._idle.append(link)
                else:  # its rest would be taken for the next response
                    link.close()

    async def close(self) -> None:
        """Closes idle connections."""
        while self._idle:
            self._idle.pop().close()
        await asyncio.sleep(0)  # they end in the next round of the loop

    def _idle_link(self) -> Link | None:
        while self._idle:
            link = self._idle.pop()
            if link.is_open():
                return link
            link.close()
        return None

    async def _new(self) -> Link:
        end = self._proxy or self._url
        assert end.hostname is not None
        port = end.port or (443 if end.scheme == "https" else 80)
        loop = asyncio.get_running_loop()
        direct = self._tls if self._proxy is None else None
        _, link = await loop.create_connection(lambda: Link(self._scratch), end.hostname, port, ssl=direct)
        if self._tls is not None and self._proxy is not None:
            try:
                await self._tunnel(link, self._tls, self._proxy)
            except BaseException:
                link.close()
                raise
        return link

    async def _tunnel(self, link: Link, tls: ssl.SSLContext, proxy: SplitResult) -> None:
        assert self._url.hostname is not None
        host = f"[{self._url.hostname}]" if ":" in self._url.hostname else self._url.hostname
        there = f"{host}:{self._url.port or 443}"
        access = f"Proxy-Authorization: {_basic(proxy)}\r\n" if proxy.username is not None else ""
        link.send(f"CONNECT {there} HTTP/1.1\r\nHost: {there}\r\n{access}\r\n".encode("ascii"))
        response = await read_response(link)
        if response.status != 200:
            raise HttpError(f"the proxy makes no tunnel: it answers {response.status}")
        await link.secure(tls, self._url.hostname)

    def _head(self, path: str) -> bytes:
        if path not in self._heads:
            target = urlunsplit(("", "", self._url.path.rstrip("/") + path, self._url.query, ""))
            if self._proxy is not None and self._tls is None:
                target = f"http://{_host(self._url)}{target}"
            self._heads[path] = f"POST {target} HTTP/1.1\r\n{self._fixed}".encode("ascii")
        return self._heads[path]


def shown(url: str) -> str:
    """Removes possible secrets from an address: name, password and query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, _host(parts), parts.path, "", ""))


def _host(url: SplitResult) -> str:
    return url.netloc.rpartition("@")[2]


def _basic(url: SplitResult) -> str:
    pair = f"{unquote(url.username or '')}:{unquote(url.password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def _proxy(url: SplitResult) -> SplitResult | None:
    """The environment's proxy: HTTP_PROXY, HTTPS_PROXY or ALL_PROXY, except for the hosts of NO_PROXY."""
    known = urllib.request.getproxies()
    named = known.get(url.scheme) or known.get("all")
    if not named or urllib.request.proxy_bypass(_host(url)):
        return None
    proxy = urlsplit(named if "://" in named else f"http://{named}")
    if proxy.scheme != "http" or not proxy.hostname:
        raise ConfigError(f"the proxy of the environment must be an http:// address, not {shown(named)!r}")
    return proxy
