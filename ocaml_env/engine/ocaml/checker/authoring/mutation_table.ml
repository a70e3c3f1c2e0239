type level = Disjunction | Conjunction | Comparison | Sum | Product | Power

let infix = function
  | "<" -> Some (Comparison, "comparison", [ "<="; ">=" ])
  | "<=" -> Some (Comparison, "comparison", [ "<"; ">" ])
  | ">" -> Some (Comparison, "comparison", [ ">="; "<=" ])
  | ">=" -> Some (Comparison, "comparison", [ ">"; "<" ])
  | "=" -> Some (Comparison, "comparison", [ "<>" ])
  | "<>" -> Some (Comparison, "comparison", [ "=" ])
  | "==" -> Some (Comparison, "comparison", [ "!=" ])
  | "!=" -> Some (Comparison, "comparison", [ "==" ])
  | "+" -> Some (Sum, "arithmetic", [ "-" ])
  | "-" -> Some (Sum, "arithmetic", [ "+" ])
  | "+." -> Some (Sum, "arithmetic", [ "-." ])
  | "-." -> Some (Sum, "arithmetic", [ "+." ])
  | "*" -> Some (Product, "arithmetic", [ "+" ])
  | "/" -> Some (Product, "arithmetic", [ "*" ])
  | "mod" -> Some (Product, "arithmetic", [ "/" ])
  | "*." -> Some (Product, "arithmetic", [ "+." ])
  | "/." -> Some (Product, "arithmetic", [ "*." ])
  | "**" -> Some (Power, "arithmetic", [ "*." ])
  | "land" -> Some (Product, "arithmetic", [ "lor" ])
  | "lor" -> Some (Product, "arithmetic", [ "land" ])
  | "lxor" -> Some (Product, "arithmetic", [ "lor" ])
  | "lsl" -> Some (Power, "arithmetic", [ "lsr" ])
  | "lsr" -> Some (Power, "arithmetic", [ "lsl" ])
  | "asr" -> Some (Power, "arithmetic", [ "lsl" ])
  | "&&" -> Some (Conjunction, "connective", [ "||" ])
  | "||" -> Some (Disjunction, "connective", [ "&&" ])
  | _ -> None

let both a b = [ (a, b); (b, a) ]

let functions =
  List.concat
    [
      both "min" "max"; both "succ" "pred"; both "fst" "snd"; both "incr" "decr"; both "floor" "ceil";
      both "List.for_all" "List.exists"; both "Array.for_all" "Array.exists";
      both "String.for_all" "String.exists"; both "Seq.for_all" "Seq.exists";
      both "Option.is_some" "Option.is_none"; both "Result.is_ok" "Result.is_error";
      both "String.uppercase_ascii" "String.lowercase_ascii"; both "Char.uppercase_ascii" "Char.lowercase_ascii";
      both "String.capitalize_ascii" "String.uncapitalize_ascii"; both "String.index" "String.rindex";
      both "String.index_opt" "String.rindex_opt"; both "String.starts_with" "String.ends_with";
      both "Queue.peek" "Queue.pop"; both "Stack.top" "Stack.pop";
      both "Float.min" "Float.max"; both "Int.min" "Int.max"; both "Float.floor" "Float.ceil";
      [ ("List.rev_append", "List.append"); ("List.append", "List.rev_append"); ("List.sort_uniq", "List.sort") ];
      [ ("Float.round", "Float.trunc"); ("Float.trunc", "Float.round"); ("Hashtbl.replace", "Hashtbl.add") ];
    ]

let members =
  List.concat
    [
      both "min_binding" "max_binding"; both "min_elt" "max_elt"; both "min_binding_opt" "max_binding_opt";
      both "min_elt_opt" "max_elt_opt"; both "union" "inter"; [ ("diff", "inter") ];
      both "find_first" "find_last"; both "find_first_opt" "find_last_opt";
    ]

(* A name's module path with its dot, if it has one, and its last part. *)
let parted name =
  let dot = match String.rindex_opt name '.' with Some dot -> dot + 1 | None -> 0 in
  (String.sub name 0 dot, String.sub name dot (String.length name - dot))

let confused name =
  match (List.assoc_opt name functions, parted name) with
  | (Some _ as other), _ -> other
  | None, ("", _) -> None
  | None, (path, last) -> Option.map (( ^ ) path) (List.assoc_opt last members)

let droppable name =
  List.assoc_opt name
    [
      ("List.rev", 1); ("abs", 1); ("Float.abs", 1); ("abs_float", 1); ("String.trim", 1); ("lnot", 1);
      ("List.sort", 2); ("List.stable_sort", 2); ("List.fast_sort", 2); ("List.sort_uniq", 2); ("List.filter", 2);
      ("List.tl", 1); ("String.uppercase_ascii", 1); ("String.lowercase_ascii", 1); ("String.capitalize_ascii", 1);
      ("Char.uppercase_ascii", 1); ("Char.lowercase_ascii", 1); ("Array.copy", 1); ("Seq.filter", 2); ("succ", 1);
      ("pred", 1); ("Bytes.copy", 1); ("Fun.negate", 1); ("Hashtbl.copy", 1); ("sqrt", 1); ("List.cons", 2);
    ]

let is_symmetric name =
  List.mem (snd (parted name)) [ "min"; "max"; "equal"; "union"; "inter"; "disjoint"; "gcd"; "lcm" ]

(* Of a buffer, and of a table of any module that a functor made. *)
let guesses_size name ~constant =
  match String.split_on_char '.' name with
  | [ ("Buffer" | "Hashtbl"); "create" ] -> true
  | [ ("Bytes" | "Float"); _ ] -> false
  | [ _; "create" ] -> constant
  | _ -> false

let says_why name = List.mem name [ "failwith"; "invalid_arg"; "Failure"; "Invalid_argument" ]
