(** The checker's main program: [checker RUNNER function|program [unfiltered]].

    It reads messages on standard input and answers each on standard output, until the end of its input. A message is
    a {!Wire} frame of {!Bencode}:

    - at the start, unasked: [{ocaml, layers: [[name, status], ...]}];
    - [{op: "install", key, kind, ...}] to [{ok: 1}] or [{invalid: message, test: index or -1}];
    - [{op: "evaluate", key, code, limits...}] to [{status, diagnostics, errors, tests, cpu_us, retire}], or to
      [{raised: message, retire}] if the compiler raises on the code and the limits lack [second: 1];
    - [{op: "forget", key}] to [{ok: 1}].

    An infrastructure error is answered as [{fault: message}]. With [retire: 1] the process ends after its answer,
    and another one, in which nothing is installed, takes its place (see {!Reserve}). It retires if its stack or
    memory ran out, if its heap stays large, or if the compiler raised, because it can no longer be trusted with
    another candidate. If the compiler raises on a problem's tests or on other texts, the answer is [raised], too. *)
