(* Breadth-first and depth-first walks with Queue and Stack.
   signature:
     val bfs : (int * int list) list -> int -> int list
     val balanced : string -> bool
   tests:
     bfs [1, [2; 3]; 2, [4]; 3, [4]; 4, []] 1 = [1; 2; 3; 4]
     bfs [] 9 = [9]
     balanced "([]{})" = true
     balanced "([)]" = false
     balanced "(" = false
*)
let bfs graph start =
  let queue = Queue.create () and seen = Hashtbl.create 8 and order = ref [] in
  Queue.push start queue;
  while not (Queue.is_empty queue) do
    let v = Queue.pop queue in
    if not (Hashtbl.mem seen v) then begin
      Hashtbl.add seen v ();
      order := v :: !order;
      List.iter (fun w -> Queue.add w queue) (try List.assoc v graph with Not_found -> [])
    end
  done;
  List.rev !order

let balanced s =
  let stack = Stack.create () in
  let close c = match Stack.pop_opt stack with Some o -> o = c | None -> false in
  let ok =
    List.for_all
      (function
        | ('(' | '[' | '{') as c -> Stack.push c stack; true
        | ')' -> close '(' | ']' -> close '[' | '}' -> close '{'
        | _ -> true)
      (List.of_seq (String.to_seq s))
  in
  ok && Stack.is_empty stack
