"""Verifies on more than one machine: the workers are actors of a Ray cluster.

actor      the process on each CPU: a verifier with one worker, which receives batches of calls
fleet      the actors of a cluster: one for each CPU, on nodes that come and go; distributes calls, survives deaths
cluster    the connection to a cluster: the named one, this machine's, or a new one
verifier   RayVerifier: the interface of ``Verifier`` in front of a fleet

Ray is imported only when a verifier is made: ``pip install 'ocaml-env[ray]'``.
"""

from ocaml_env.verifiers.ray.verifier import RayVerifier

__all__ = ["RayVerifier"]
