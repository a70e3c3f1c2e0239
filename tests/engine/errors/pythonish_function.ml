(* A function written in Python.
   signature:
     val fact : int -> int
   tests:
     fact 5 = 120
   error: syntax fact: not OCaml at all
     - def fact(n):
     + let rec fact n =
     - if n <= 1:
     + if n <= 1 then
     - return 1
     + 1
     - else:
     + else
     - return n * fact(n - 1)
     + n * fact (n - 1)
*)
def fact(n):
  if n <= 1:
    return 1
  else:
    return n * fact(n - 1)
