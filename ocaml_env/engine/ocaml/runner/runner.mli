(** The runner's main program: a small bytecode process that forks a jailed child for each request.

    It links the standard library and [Str] whole, since candidates may refer to any of it, and nothing of the
    compiler: references are resolved by the checker. Started with [--layers] it tries every layer of the jail and
    reports before it takes requests. *)
