let compile ~unit_name typed coercion =
  let typed = Compiler.reread_in_matches typed in
  let program = Compiler.translate unit_name typed coercion in
  Compiler.emit (Simplif.simplify_lambda program.Lambda.code)

type tables = Symtable.global_map

(* Number of globals so far. Asking for the table also hands over, and forgets, the constants that wait for a slot. *)
let globals () = Symtable.initial_global_table ()
let tables = Symtable.current_state

let restore tables =
  ignore (globals ());
  Symtable.restore_state tables

let link bytecode =
  let before = Array.length (globals ()) in
  let code = Compiler.patch bytecode in
  let after = globals () in
  let literals = ref [] in
  for slot = Array.length after - 1 downto before do
    if after.(slot) != Obj.repr 0 then literals := (slot, after.(slot)) :: !literals
  done;
  Marshal.to_string { Task.code; literals = Array.of_list !literals; globals = Array.length after } []
