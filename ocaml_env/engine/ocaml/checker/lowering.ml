let compile ~unit_name typed coercion =
  let typed = Compiler.reread_in_matches typed in
  let program = Compiler.translate unit_name typed coercion in
  let simplified = Guard.compiler (fun () -> Simplif.simplify_lambda program.Lambda.code) in
  Compiler.check_recursive_values typed ~translated:program.code ~simplified;
  Compiler.emit simplified

(* The table of globals, with the constants that wait for a slot: asking hands them over, and forgets them. It is a large
   array each time. *)
let globals () = Symtable.initial_global_table ()

type tables = { state : Symtable.global_map; count : int }

(* Of the tables that are in force: as many globals at least as were there when they were taken. *)
let count = ref 0

let tables () = { state = Symtable.current_state (); count = Array.length (globals ()) }

let restore tables =
  Symtable.restore_state tables.state;
  count := tables.count

let link bytecode =
  let expected = function Symtable.Error _ -> true | _ -> false in
  match Guard.compiler ~expected (fun () -> Compiler.patch bytecode) with
  | code ->
      let after = globals () in
      let literals = ref [] in
      for slot = Array.length after - 1 downto !count do
        if after.(slot) != Obj.repr 0 then literals := (slot, after.(slot)) :: !literals
      done;
      count := Array.length after;
      Marshal.to_string { Task.code; literals = Array.of_list !literals; globals = Array.length after } []
  | exception error ->
      ignore (globals ());
      raise error
