(* Nothing that the pattern looks at can change. *)
type u = I of int | S of string
type r = { a : bool; u : u; l : int Lazy.t }
let make n = { a = true; u = S (string_of_int n); l = lazy 2 }
let conv (n : int) : string =
  (fun ({ a = true; u = I _; _ }, s | { a = true; u = S _; l = lazy 1 }, s | { a = false; _ }, s | { u = I _; _ }, s
        | { u = S s; _ }, _) -> s) (make n, "no")
