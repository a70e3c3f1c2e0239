(* Polymorphic methods, and first-class modules in a polymorphic field. *)
module type SHOW = sig type t val show : t -> string end
type printer = { print : 'a. (module SHOW with type t = 'a) -> 'a -> string }
type 'p o = < m : 'a. 'p * 'a -> 'p >
type _ t = A : int -> int o t | B : string -> string o t
let o : int o = object method m : 'a. int * 'a -> int = fst end
let text (type p) : p t -> string = function A n -> string_of_int (o#m (n, "")) | B s -> s
let printer = { print = (fun (type a) (module M : SHOW with type t = a) (x : a) -> M.show x) }
class printing = object method print : 'a. (module SHOW with type t = 'a) -> 'a -> string = printer.print end
let print (p : printing) = p#print
module Int_show = struct type t = int let show = string_of_int end
let conv (n : int) : string = if n < 0 then text (A n) else print (new printing) (module Int_show) n
