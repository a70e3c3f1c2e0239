(** Decides which limit a candidate met that takes ever more memory, or prints without end: that on CPU time or the
    other one. With the default limits, a plain loop that conses reaches both at about the same time, and a busy
    machine changes which comes first. So a child that is out of time, and has used an eighth of its memory or
    output, goes on. If it then meets the other limit, that was its limit; if not, it was the time, whatever it
    answers.

    It goes on until its call has allocated five times its memory, a number of words that no machine's speed changes.
    A program with growing memory has filled the memory by then (lists, queues, tables of strings and searches within
    0.7 to 3.8 times of it); one that leaves mostly garbage has not (6.8 times and more).

    A child that allocates little ends at seven times the time, 3.5 s with the default limits. That lies between two
    groups: programs with growing memory fill 256 MiB in 0.7 to 2.5 s, and tables that rehash as they grow need 5 s
    and more. *)

(** A runner for one candidate with this rule. The time above its limit is not counted. Once a child has got it in
    vain, no other child gets any. *)
val runner : Child.runner -> Child.runner
