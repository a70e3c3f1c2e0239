(** Which limit did a candidate meet that takes more and more memory, or prints without end? The one on CPU time or the
    other, whichever it reaches first: with the default limits that is close for a plain loop that conses, and a busy
    machine changes it. So a child that is ended for its time when it has used an eighth of what it may have of the other
    is run again up to that place, with six times the time. If it meets the other limit there, that was its limit.

    Six times: what builds lists, strings or buffers without end fills 256 MiB within 0.7 to 1.4 s, what rehashes or
    copies as it grows needs 6 s and more, and with the default limits six times is 3 s. *)

(** A runner for one candidate that does so. After a second run that was in vain there are no more. *)
val runner : Child.runner -> Child.runner
