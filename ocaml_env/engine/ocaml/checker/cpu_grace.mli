(** Which limit did a candidate meet that takes more and more memory, or prints without end? The one on CPU time or the
    other, whichever it reaches first: with the default limits that is close for a plain loop that conses, and a busy
    machine changes it. So a child whose time is over when it has used an eighth of what it may have of the other goes on.
    If it meets the other limit there, that was its limit; if not, it was the time, whatever it answers.

    It goes on until its call has allocated five times its memory, a number of words that no machine's speed changes: a
    program whose memory grows has filled the memory by then (lists, queues, tables of strings and searches within 0.7 to
    3.8 times of it), and what leaves mostly garbage has not (6.8 times and more).

    What allocates little ends at seven times the time, 3.5 s with the default limits, between two groups: programs whose
    memory grows fill 256 MiB in 0.7 to 2.5 s, and what rehashes as it grows needs 5 s and more. *)

(** A runner for one candidate that does so. The time above its limit is not counted, and after a child that was given
    it in vain no other gets any. *)
val runner : Child.runner -> Child.runner
