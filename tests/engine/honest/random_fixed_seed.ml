(* Shuffles with a seed of its own and states of Random; checks only what always holds.
   signature:
     val shuffle : int -> 'a list -> 'a list
   tests:
     List.sort compare (shuffle 7 [1; 2; 3; 4; 5]) = [1; 2; 3; 4; 5]
     shuffle 1 ["one"] = ["one"]
     shuffle 42 [1; 2; 3; 4; 5; 6] = shuffle 42 [1; 2; 3; 4; 5; 6]
*)
let shuffle seed list =
  let state = Random.State.make [| seed |] in
  let a = Array.of_list list in
  for i = Array.length a - 1 downto 1 do
    let j = Random.State.int state (i + 1) in
    let tmp = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- tmp
  done;
  Array.to_list a

let () =
  Random.init 42;
  assert (Random.float 1.0 <= 1.0);
  assert (Random.int 10 < 10)
