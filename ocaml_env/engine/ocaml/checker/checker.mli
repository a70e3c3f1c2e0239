(** The checker's main program: [checker RUNNER function|program [unfiltered]].

    Reads messages on standard input and answers each on standard output, until the end of its input. A message is a
    {!Wire} frame of {!Bencode}:

    - at the start, unasked: [{ocaml, layers: [[name, status], ...]}];
    - [{op: "install", key, kind, ...}] to [{ok: 1}] or [{invalid: message, test: index or -1}];
    - [{op: "evaluate", key, code, limits...}] to [{status, diagnostics, errors, tests, cpu_us, retire}];
    - [{op: "forget", key}] to [{ok: 1}].

    An infrastructure error is answered as [{fault: message}]. With [retire: 1] the process ends after its answer: its stack or
    memory ran out, and it is not trusted with another candidate. *)
