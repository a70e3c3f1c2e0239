(* appends each item at the end of what was made *)
type ('a, 'b) stage = { wrap : 'r. ('r -> 'b -> 'r) -> 'r -> 'a -> 'r }

let mapping f = { wrap = (fun step acc x -> step acc (f x)) }
let keeping p = { wrap = (fun step acc x -> if p x then step acc x else acc) }
let expanding f = { wrap = (fun step acc x -> List.fold_left step acc (f x)) }
let ( >>> ) first second = { wrap = (fun step -> first.wrap (second.wrap step)) }
let tee a b = { wrap = (fun step acc x -> b.wrap step (a.wrap step acc x) x) }
let fold stage step init items = List.fold_left (stage.wrap step) init items
let to_list stage items = fold stage (fun made x -> made @ [x]) [] items
