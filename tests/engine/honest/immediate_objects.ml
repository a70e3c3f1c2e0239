(* Objects without classes, row types, functional update and Oo.copy.
   signature:
     val run : int list -> int list
   tests:
     run [1; 2; 3] = [3; 2; 1; 0; 3]
     run [] = [0; 0]
*)
let make_stack () =
  object (self)
    val mutable items = []
    method push (x : int) = items <- x :: items
    method items = items
    method size = List.length self#items
    method emptied = {< items = [] >}
  end

let size_of (o : < size : int ; .. >) = o#size

let run list =
  let s = make_stack () in
  List.iter s#push list;
  let copy = Oo.copy s in
  copy#push 0;
  s#items @ [ size_of s#emptied; size_of copy - 1 ]
