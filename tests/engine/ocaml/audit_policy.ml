(* Lists, for test_policy.py, every value of the compiled interfaces given as arguments, with the policy's decision on it.
   It prints facts only; the test states the right decisions.

   Lines are fields separated by tabs:
   "unit", name, offered | known | refused
   "import", unit, a unit whose interface it refers to
   "alias", unit, path of a module or module type, its target
   "value", unit, path, primitive or "-", status, allowed in functions, allowed in programs, what its primitive becomes
   "listed", unit, a path in the policy's lists *)

open Types

let line fields = print_endline (String.concat "\t" fields)
let dotted path = String.concat "." (List.rev path)

let status unit path =
  match Policy.status ~unit path with
  | Everywhere -> "everywhere"
  | In_programs -> "in programs"
  | Stands_for primitive -> "stands for " ^ primitive
  | For_the_compiler -> "for the compiler"
  | Withheld reason -> "withheld: it " ^ reason
  | Unclassified -> "unclassified"

let becomes primitive =
  match Policy.checked_primitive primitive with
  | Some checked -> checked
  | None -> if Policy.is_safe_primitive primitive then "itself" else "nothing"

let value unit path primitive =
  let allows profile = string_of_bool (Policy.allows profile ~unit path) in
  line
    [
      "value";
      unit;
      path;
      Option.value primitive ~default:"-";
      status unit path;
      allows Function;
      allows Program;
      Option.fold primitive ~none:"-" ~some:becomes;
    ]

let rec signature unit path items = List.iter (item unit path) items

and item unit path = function
  | Sig_value (id, { val_kind = Val_prim { prim_name; _ }; _ }, _) ->
      value unit (dotted (Ident.name id :: path)) (Some prim_name)
  | Sig_value (id, _, _) -> value unit (dotted (Ident.name id :: path)) None
  | Sig_module (id, _, { md_type; _ }, _, _) -> module_type unit (Ident.name id :: path) md_type
  | Sig_modtype (id, { mtd_type = Some declared; _ }, _) -> module_type unit (Ident.name id :: path) declared
  | Sig_modtype (_, { mtd_type = None; _ }, _) | Sig_type _ | Sig_typext _ | Sig_class _ | Sig_class_type _ -> ()

(* The candidate gives a functor's argument, so it needs no audit. *)
and module_type unit path = function
  | Mty_signature items -> signature unit path items
  | Mty_functor (_, result) -> module_type unit path result
  | Mty_ident target | Mty_alias target -> line [ "alias"; unit; dotted path; Path.name target ]

let interface file =
  let { Cmi_format.cmi_name = unit; cmi_sign; cmi_crcs; _ } = Cmi_format.read_cmi file in
  let standing =
    if Policy.offers_unit unit then "offered" else if Policy.knows_unit unit then "known" else "refused"
  in
  line [ "unit"; unit; standing ];
  List.iter (fun (import, _) -> line [ "import"; unit; import ]) cmi_crcs;
  signature unit [] cmi_sign

let listed (unit, { Policy.allowed; program_only; stand_ins; withheld }) =
  let paths = allowed @ program_only @ List.map fst stand_ins @ List.concat_map snd withheld in
  List.iter (fun path -> line [ "listed"; unit; path ]) paths

let () =
  List.iter interface (List.tl (Array.to_list Sys.argv));
  List.iter listed Policy.units
