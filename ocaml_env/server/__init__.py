"""Evaluating over HTTP, for trainers on other machines and in other languages: ``ocaml-env serve``, and its client.

wire      verdicts, candidates and faults as JSON: what both sides say
client    RemoteVerifier: a service, used like a Verifier
transport the client's connections: kept open, tried again
settings  how a service runs: its address, its limits, its token
schema    the requests and answers, for validation and for OpenAPI
service   problems by name and digest, and one candidate to one answer; knows nothing of HTTP
queue     the candidates that wait, in order and bounded, and the threads that take them
guard     what a request must pass before it is read: token, size, patience; and the record of it
metrics   what Prometheus reads
app       the routes
run       a service as a process: its socket, its signals, its end

The client needs the standard library alone. What serves (``schema``, ``metrics``, ``guard``, ``app``, ``run``) needs
the extra ``server``, and is imported when it is asked for.
"""
