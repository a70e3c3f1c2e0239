(** The checker's main program: [checker RUNNER function|program [unfiltered]].

    Reads messages on standard input and answers each on standard output, until the end of its input. A message is a
    {!Wire} frame of {!Bencode}:

    - at the start, unasked: [{ocaml, layers: [[name, status], ...]}];
    - [{op: "install", key, kind, ...}] to [{ok: 1}] or [{invalid: message, test: index or -1}];
    - [{op: "evaluate", key, code, limits...}] to [{status, diagnostics, errors, tests, cpu_us, retire}],
      or, unless [second: 1] was among the limits, to [{raised: message, retire}] where the compiler raises on the code;
    - [{op: "forget", key}] to [{ok: 1}].

    An infrastructure error is answered as [{fault: message}]. With [retire: 1] the process ends after its answer, and
    another one, in which nothing is installed, takes its place (see {!Reserve}): its stack or memory ran out, its
    heap stays large, or the
    compiler raised, and it is not trusted with another candidate. A problem's tests, and other texts, on which the
    compiler raises are answered with [raised], too. *)
