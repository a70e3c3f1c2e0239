(** Which limit did a candidate meet that takes more and more memory, or prints without end? The one on CPU time or the
    other, whichever it reaches first: with the default limits that is close for a plain loop that conses, and a busy
    machine changes it. So a child whose time is over when it has used an eighth of what it may have of the other goes on,
    up to six times the time. If it meets the other limit there, that was its limit; if not, it was the time, whatever it
    answers.

    Six times: what builds lists, strings or buffers without end fills 256 MiB within 0.7 to 1.4 s, what rehashes or
    copies as it grows needs 6 s and more, and with the default limits six times is 3 s. *)

(** A runner for one candidate that does so. The time above its limit is not counted, and after a child that was given
    it in vain no other gets any. *)
val runner : Child.runner -> Child.runner
