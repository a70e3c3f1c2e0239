(* Counters in closures, references to functions, partial application and pipelines.
   signature:
     val make_counter : unit -> (unit -> int)
     val compose_all : (int -> int) list -> int -> int
   tests:
     (let c = make_counter () in ignore (c ()); c ()) = 2
     compose_all [succ; ( * ) 2] 3 = 8
*)
let make_counter () =
  let n = ref 0 in
  fun () -> incr n; !n

let compose_all fs x = List.fold_left ( |> ) x fs
let hook : (string -> unit) ref = ref ignore
let () = hook := print_endline; !hook @@ "hooked " ^ string_of_int @@ compose_all [] 1
