let in_memory : (string, Cmi_format.cmi_infos) Hashtbl.t = Hashtbl.create 64
let on_disk : (string, Cmi_format.cmi_infos option) Hashtbl.t = Hashtbl.create 64

(* Units of the standard library, seen through the filter; and the interfaces of installed problems. *)
let load profile ~filtered ~read name =
  match Hashtbl.find_opt in_memory name with
  | Some cmi -> Some cmi
  | None -> (
      match Hashtbl.find_opt on_disk name with
      | Some cmi -> cmi
      | None ->
          let cmi =
            if not filtered then read ()
            else if not (Filter.knows_unit name) then None
            else Option.map (Filter.cmi profile name) (read ())
          in
          Hashtbl.replace on_disk name cmi;
          cmi)

let initial = ref Env.empty
let environment () = !initial

let warm_up =
  "let _ = List.map let _ = Hashtbl.create let _ = String.length let _ = Printf.sprintf let _ = Buffer.create\n\
   let _ = Array.make let _ = Option.map let _ = Char.code let _ = Fun.id let _ = Bytes.create let _ = Queue.create\n\
   let _ = Stack.create let _ = Seq.map let _ = Float.abs let _ = Int.abs let _ = Result.ok let _ = Random.int\n\
   let _ = Format.asprintf let _ = Int64.add let _ = Int32.add let _ = Lazy.force let _ = Bool.not\n\
   let _ = Printexc.to_string let _ = Scanf.sscanf module M1 = Map.Make (String) module S1 = Set.Make (Int)\n\
   module H = Hashtbl.Make (struct type t = int let equal = ( = ) let hash = Hashtbl.hash end)\n\
   let _ = lazy 1 let f = object method x = 1 end let g = f#x"

let restore_settings () =
  Clflags.native_code := false;
  Clflags.debug := false;
  Clflags.nopervasives := false;
  Clflags.principal := false;
  Clflags.recursive_types := false;
  Clflags.strict_sequence := false;
  Clflags.dont_write_files := true;
  (* Off: it measures a marshalled copy, whose size depends on how many names came before. *)
  Clflags.error_size := 0;
  Clflags.color := Some Misc.Color.Never;
  Lexer.handle_docstrings := false

let refresh () =
  Env.reset_cache ();
  initial := Compmisc.initial_env ()

let start profile ~filtered =
  restore_settings ();
  ignore (Warnings.parse_options false "-a");
  ignore (Warnings.parse_options true "-a");
  (* Warnings and alerts are never counted, and nothing of a candidate is written to stderr. *)
  Location.warning_reporter := (fun _ _ -> None);
  Location.alert_reporter := (fun _ _ -> None);
  Load_path.reset ();
  Compmisc.init_path ();
  Compiler.set_loader (load profile ~filtered);
  (* Everything that may ever be needed is read now: what is typed later does not depend on files that may be gone. *)
  List.iter (fun (name, _) -> Compiler.read_interface name) Policy.units;
  List.iter (fun (name, _) -> Compiler.read_interface name) Policy.types_only;
  refresh ();
  Compiler.start_unit "Warm_up";
  ignore (Compiler.type_structure !initial (Parse.implementation (Lexing.from_string warm_up)))

let register name signature = Hashtbl.replace in_memory name (Compiler.make_cmi name signature)
let forget name = Hashtbl.remove in_memory name

let isolated ?(keep_types = false) unit_name f =
  let warnings = Warnings.backup () in
  Compiler.start_unit unit_name;
  let checkpoint = Compiler.checkpoint () in
  let restore () =
    if not keep_types then Compiler.rollback ~apart:false checkpoint;
    Compiler.forget_unit ();
    Warnings.restore warnings;
    restore_settings ()
  in
  match f () with
  | result ->
      restore ();
      result
  (* There is no state to go back to: the process will not be used again. *)
  | exception (Guard.Compiler_raised _ as exn) -> raise exn
  | exception exn ->
      restore ();
      raise exn
