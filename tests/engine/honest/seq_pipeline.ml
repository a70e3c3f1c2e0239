(* Delayed sequences: unfold, filter_map and the functions of List, String and Hashtbl that give them.
   signature:
     val fibonacci_below : int -> int list
     val vowels : string -> int
   tests:
     fibonacci_below 30 = [0; 1; 1; 2; 3; 5; 8; 13; 21]
     fibonacci_below 0 = []
     vowels "sequences" = 4
*)
let fibonacci = Seq.unfold (fun (a, b) -> Some (a, (b, a + b))) (0, 1)

let rec take_while p s () =
  match s () with
  | Seq.Cons (x, rest) when p x -> Seq.Cons (x, take_while p rest)
  | _ -> Seq.Nil

let fibonacci_below n = List.of_seq (take_while (fun x -> x < n) fibonacci)

let vowels s =
  String.to_seq s
  |> Seq.filter_map (function 'a' | 'e' | 'i' | 'o' | 'u' -> Some 1 | _ -> None)
  |> Seq.fold_left ( + ) 0
