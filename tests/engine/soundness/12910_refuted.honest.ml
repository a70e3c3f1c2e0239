type (_, _) eq = Refl : ('a, 'a) eq
type 'p o = < m : 'a. 'p * 'a -> 'p >
let text : ((int o, string o) eq, string) result -> string = function Error s -> s | Ok _ -> .
let conv (n : int) : string = text (Error (string_of_int n))
