(* A heterogeneous list behind an existential constructor.
   signature:
     val report : unit -> string list
   tests:
     report () = ["1"; "two"; "3.5"; "4,5"]
*)
type showable = Showable : { value : 'a; show : 'a -> string } -> showable

let items =
  [ Showable { value = 1; show = string_of_int };
    Showable { value = "two"; show = Fun.id };
    Showable { value = 3.5; show = Printf.sprintf "%.1f" };
    Showable { value = [ 4; 5 ]; show = (fun l -> String.concat "," (List.map string_of_int l)) } ]

let report () = List.map (fun (Showable { value; show }) -> show value) items
