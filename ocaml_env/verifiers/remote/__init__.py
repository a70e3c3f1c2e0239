"""The client of `ocaml-env serve`, and the wire that client and service share."""
