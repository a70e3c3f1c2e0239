(* below 5.3 *)
type u = I of int | S of string
type r = { a : bool; mutable u : u; mutable l : int Lazy.t }
let make n =
  let r = { a = true; u = S "x"; l = lazy 1 } in
  r.l <- lazy (r.u <- I n; 2);
  r
exception E of (r * string)
let conv (n : int) : string =
  match raise (E (make n, "no")) with s -> s | exception E ({ a = true; u = I _; _ }, s | { a = true; u = S _; l = lazy 1 }, s | { a = false; _ }, s | { u = I _; _ }, s
        | { u = S s; _ }, _) -> s
