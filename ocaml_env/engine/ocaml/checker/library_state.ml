let forgetful =
  [
    "Array"; "ArrayLabels"; "Bool"; "Buffer"; "Bytes"; "BytesLabels"; "Char"; "Complex"; "Either"; "Float"; "Fun";
    "Hashtbl"; "Int"; "Int32"; "Int64"; "Lazy"; "List"; "ListLabels"; "Map"; "Nativeint"; "Option"; "Printf"; "Queue";
    "Result"; "Seq"; "Set"; "Stack"; "String"; "StringLabels"; "Uchar";
  ]

let is_forgetful name = List.mem name forgetful
let is_library name = List.exists (fun unit -> List.mem_assoc unit Policy.units) [ "Stdlib__" ^ name; name ]

(* Input is used up, and a literal that is changed stays so. *)
let is_remembering_name name =
  List.mem name [ "stdin"; "read_line"; "read_int"; "read_int_opt"; "read_float"; "read_float_opt"; "randomize" ]
  || (String.length name > 6 && String.sub name 0 6 = "unsafe")

let draws =
  [
    "bits"; "int"; "full_int"; "int32"; "nativeint"; "int64"; "float"; "bool"; "int_in_range"; "int32_in_range";
    "nativeint_in_range"; "int64_in_range"; "bits32"; "bits64"; "nativebits";
  ]

let only_draws ~unit_ name = unit_ = "Random" && List.mem name draws

let remembers ~unit_ name = is_remembering_name name || not (unit_ = "Stdlib" || is_forgetful unit_)
