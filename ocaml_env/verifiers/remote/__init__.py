"""The client of `ocaml-env serve`, and the wire format that client and service share."""
