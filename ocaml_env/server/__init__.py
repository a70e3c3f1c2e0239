"""Evaluates over HTTP, for trainers on other machines and in other languages: ``ocaml-env serve``, and its client.

answers   the answers, for both sides and for OpenAPI
wire      verdicts, candidates and errors as JSON, for both sides
client    RemoteVerifier: a service with the interface of a Verifier
transport the client's connections: kept open, with repeated requests
settings  the settings of a service: its address, its limits, its token
schema    the requests, for validation and for OpenAPI
service   finds problems by name and digest, and answers for a candidate; knows nothing of HTTP
queue     the waiting candidates, in order and bounded, and the threads that take them
guard     checks a request before it is read: token, size, time; and records it
metrics   the figures for Prometheus
app       the routes
run       a service as a process: its socket, its signals, its end

The client needs urllib3. The server's modules (``schema``, ``metrics``, ``guard``, ``app``, ``run``)
need the extra ``server``, and are imported only when they are used.
"""
