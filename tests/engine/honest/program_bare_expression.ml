(* One expression, no binding.
   kind: program
   stdin:
   stdout:
     Hello, world!
*)
print_endline "Hello, world!"
