(* Opens Printf and uses bare sprintf and printf.
   signature:
     val greet : string -> int -> string
   tests:
     greet "Ann" 3 = "Hello Ann, you are 3 years old (3.00, 0x3, 'c', true)"
*)
open Printf

let greet name age =
  printf "greeting %s\n%!" name;
  sprintf "Hello %s, you are %d years old (%.2f, %#x, %C, %B)" name age (float_of_int age) age 'c' true
