module Exp =
  struct
    type _ t =
      | IntLit : int -> int t
      | App : ('a -> 'b) t * 'a t -> 'b t
      | Abs : ('a -> 'b) -> ('a -> 'b) t
    let rec eval : type s . s t -> s =
      function
        | IntLit x -> x
    let discern : type a. a t -> _ = function
      | Abs _ -> 5
  end
module List =
  struct
    type zero
    type _ t =
      | Nil : zero t
      | Cons : 'a * 'b t -> ('a * 'b) t
    let rec length : type a . a t -> int =
      function
        | Cons (a,b) -> length b
  end
module Nonexhaustive =
  struct
    type 'a u =
      | C2 : bool -> bool u
    type 'a v =
      | C1 : int -> int v
    let unexhaustive : type s . s u -> s =
      function
        | C2 x -> x
    module M : sig type t type u end =
      struct
        type t = int
        type u = bool
      end
    type 'a t =
      | Foo : M.t -> M.t t
      | Bar : M.u -> M.u t
    let same_type : type s . s t * s t -> bool  =
      function
        | Bar _, Bar _ -> true
  end
module Exhaustive =
  struct
    type t = int
    type u = bool
    type 'a v =
      | Foo : t -> t v
      | Bar : u -> u v
    let same_type : type s . s v * s v -> bool  =
      function
        | Bar _, Bar _ -> true
  end
module PR6862 = struct
end
module PR6403 = struct
  type (_, _) eq = Refl : ('a, 'a) eq
  type empty = { bottom : 'a . 'a }
  type ('a, 'b) sum = Left of 'a | Right of 'b
  let notequal : ((int, bool) eq, empty) sum -> empty = function
    | Right empty -> empty
end
module PR6437 = struct
  type ('a, 'b) ctx =
    | Cons : ('a, 'b) ctx -> ('a * unit, 'b * unit) ctx
  type 'a var =
    | O : ('a * unit) var
    | S : 'a var -> ('a * unit) var
  let rec f : type g1 g2. (g1, g2) ctx * g1 var -> g2 var = function
    | Cons g, O -> O
    | Cons g, S n -> S (f (g, n))
end
module PR6801 = struct
  type _ value =
    | String : string -> string value
end
module Polymorphic_variants =
  struct
      type _ t =
      | IntLit : int -> int t
      | BoolLit : bool -> bool t
    let rec eval : type s . [`A] * s t -> unit =
      function
        | `A, BoolLit _ -> ()
  end
module Propagation = struct
  type _ t =
      IntLit : int -> int t
    | BoolLit : bool -> bool t
  let check : type s. s t -> s = fun x ->
    let r = match x with
    | IntLit n -> (n : s )
    in r
end
type _ t = Int : int t
let ky x y = ignore (x = y); x
let test : type a. a t -> a =
  function Int -> ky (1 : a) 1
let rec test : type a. a t -> a =
  function Int -> (1 : a)
let test : type a. a t -> _ =
  function Int -> 1       (* ok *)
let f (type a) (x : a t) y =
  match x with Int ->
    let module M = struct type b = a let z = (y : b) end
    in M.z
let witness = 0
