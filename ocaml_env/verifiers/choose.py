"""Chooses a verifier by the option ``--verifier`` of the commands.

    local             workers on this machine
    ray               actors of the Ray cluster of this machine or of RAY_ADDRESS; a new local cluster if there is none
    ray://HOST:10001  the same, from a machine outside of the cluster
    http://HOST:8787  the service of `ocaml-env serve`; OCAML_ENV_TOKEN holds its token

All give the same verdicts. Optional dependencies are imported only when they are needed.
"""

from __future__ import annotations

import os
from typing import Any, Literal, cast

from ocaml_env.errors import ConfigError
from ocaml_env.verifiers.base import AnyVerifier, AuthoringVerifier
from ocaml_env.verifiers.local import Verifier

__all__ = ["HELP", "check_verifier", "open_authoring_verifier", "open_verifier"]

HELP = "where to evaluate: local, ray, ray://HOST:PORT, or http://HOST:PORT of `ocaml-env serve`"


def check_verifier(spec: str) -> None:
    """Checks the form of a spec.

    Raises:
        ConfigError: if it is none of the above.
    """
    kind, colon, rest = spec.partition("://")
    if spec not in ("local", "ray") and not (kind in ("ray", "http", "https") and colon and rest):
        raise ConfigError(
            f"there is no verifier {spec!r}: known are local, ray, ray://HOST:PORT, http://HOST:PORT and https://"
        )


def open_verifier(
    spec: str = "local",
    *,
    workers: int | None = None,
    sandbox: Literal["required", "best-effort"] = "required",
    cache_size: int = 4096,
    share: int = 1,
    inside: Literal["accept", "refuse"] = "accept",
) -> AnyVerifier:
    """Opens the verifier of a spec; the caller must close it.

    Args:
        spec: see above.
        workers: candidates to evaluate at the same time; None means one for each CPU. A service has its own setting.
        sandbox: as for ``Verifier``; a service has its own setting.
        cache_size: as for ``Verifier``.
        share: the number of processes like this one, which divide the CPUs among them if ``workers`` is None.
        inside: as for ``Verifier``; a service has its own setting.

    Raises:
        ConfigError: if there is no such verifier, a dependency is not installed, or a service is asked to refuse.
        EngineError: if the cluster does not answer.
    """
    check_verifier(spec)
    if spec == "local":
        if workers is None and share > 1:
            workers = max(1, (os.cpu_count() or 1) // share)
        return Verifier(workers=workers, sandbox=sandbox, cache_size=cache_size, inside=inside)
    if spec.startswith("ray"):
        from ocaml_env.verifiers.ray import RayVerifier

        address = None if spec == "ray" else spec
        return RayVerifier(address, workers=workers, share=share, sandbox=sandbox, cache_size=cache_size, inside=inside)
    if inside == "refuse":
        raise ConfigError(f"{spec} decides by itself which tests it takes: start it with `--inside refuse`")
    from ocaml_env.verifiers.remote.client import RemoteVerifier

    return RemoteVerifier(spec)


def open_authoring_verifier(spec: str = "local", **options: Any) -> AuthoringVerifier:
    """Opens a verifier for writing and auditing problems.

    Raises:
        ConfigError: as ``open_verifier``, and for a service, which only evaluates.
    """
    if spec.startswith("http"):
        raise ConfigError(f"{spec} evaluates, and makes no mutants or stubs as this needs: give local or ray")
    return cast(AuthoringVerifier, open_verifier(spec, **options))
