"""More than one machine: a verifier whose workers are actors of a Ray cluster.

actor      what runs on each CPU: a verifier with one worker, which is sent batches of calls
fleet      the actors of a cluster: one a CPU, on nodes that come and go; who gets which call, and what a death costs
cluster    the connection to a cluster: the one that was named, the one of this machine, or a new one
verifier   RayVerifier: the interface of ``Verifier`` in front of a fleet

Ray is imported when a verifier is made, not before: ``pip install 'ocaml-env[ray]'``.
"""

from ocaml_env.verifiers.ray.verifier import RayVerifier

__all__ = ["RayVerifier"]
