(* Two classes that mention each other; a method of one has another type.
   signature:
     class node : object method next : link option method size : int end
     and link : object method target : node end
   tests:
     (new node)#size = 0
   error: ill-typed-item node: the size is a float
     - method size = 0.
     + method size = 0
*)
class node = object
  method next : link option = None
  method size = 0.
end
and link = object
  method target = new node
end
