(** The part of the compiler's library whose interface differs between versions of OCaml.

    [compat/] has one implementation for each family: [ocaml4] for 4.13 and 4.14, [ocaml5] for 5.x. Everything else
    of the checker calls compiler-libs directly and compiles with each of them.

    Functions on trees, types or messages of a candidate raise {!Guard.Compiler_raised} if the compiler fails. *)

(** {1 Units and interfaces} *)

(** Starts the compilation of a unit of this name: forgets the state of the unit before it. *)
val start_unit : string -> unit

(** Frees the compiler's memory of a unit, above all its typed trees. *)
val forget_unit : unit -> unit

(** [set_loader load] makes the compiler ask [load name] for every interface that it needs. [load] is given [read],
    which finds the interface on disk. *)
val set_loader :
  (read:(unit -> Cmi_format.cmi_infos option) -> string -> Cmi_format.cmi_infos option) -> unit

(** Asks the loader for an interface now. *)
val read_interface : string -> unit

(** An interface made in memory, under the name of its unit. *)
val make_cmi : string -> Types.signature -> Cmi_format.cmi_infos

(** [fun label:_ -> body] *)
val lambda : Asttypes.arg_label -> Parsetree.expression -> Parsetree.expression

(** {1 Parse trees} *)

(** The kind of a constant, with its digits and suffix as written. *)
val literal :
  Parsetree.constant ->
  [ `Integer of string * char option | `Char of char | `String of string | `Float of string * char option ]

(** The body of a function after its parameters: an expression, or the cases of [function] and their location. *)
val function_body :
  Parsetree.expression ->
  [ `None | `Body of Parsetree.expression | `Cases of Location.t * Parsetree.case list ]

(** {1 Typing} *)

val type_structure :
  Env.t -> Parsetree.structure -> Typedtree.structure * Types.signature * Typemod.Signature_names.t * Env.t

(** Makes the checks that typing has put off to the end of a unit. *)
val force_delayed_checks : unit -> unit

(** [coerce env signature ~expected] fits what a structure defines to an interface.
    @raise Includemod.Error if it does not fit. *)
val coerce : Env.t -> Types.signature -> expected:Types.signature -> Typedtree.module_coercion

(** [includes env signature ~expected]: as {!coerce}, for parts of signatures. *)
val includes : Env.t -> Types.signature -> expected:Types.signature -> unit

(** Does a path that satisfies the predicate occur in the types of an item? *)
val mentions_path : (Path.t -> bool) -> Types.signature_item -> bool

(** A type that fits everything: a generalised variable. *)
val any_type : unit -> Types.type_expr

(** {2 Parts of types} *)

(** Path and arguments of a type that is an application of a constructor. *)
val constructor : Types.type_expr -> (Path.t * Types.type_expr list) option

(** The representation of a variant with one constructor that is [[@@unboxed]]. *)
val unboxed_variant : Types.variant_representation

(** Does the compiler give up on finding a type's representation? *)
val is_too_deeply_unboxed : Env.t -> Types.type_expr -> bool

val is_abstract : Types.type_decl_kind -> bool

(** Has no variables? *)
val is_closed : Types.type_expr -> bool

(** The result type that is written on an extension constructor, as in [type t += C : int -> int t]. *)
val extension_result : Typedtree.extension_constructor -> Typedtree.core_type option

(** State to go back to after a failed attempt. *)
type checkpoint

val checkpoint : unit -> checkpoint

(** Goes back to the saved state. A process that runs [apart] ends with its candidate, and goes back only as far as
    the compiler can; elsewhere it must go back all the way. *)
val rollback : apart:bool -> checkpoint -> unit

(** Has an error left an effect that cannot be undone, so that the next unit may be typed differently? The argument
    is any environment of a unit. *)
val is_worn : Env.t -> bool

(** Resets the numbers with which the printer of types tells equal names apart: it would also count names in earlier
    messages. *)
val forget_printed_names : unit -> unit

(** The text of a compiler message on one line. *)
val text : Location.msg -> string

(** What a type is at its top. *)
val description : Types.type_expr -> Types.type_desc

(** The tags that a value of a polymorphic variant may have, with the types of their arguments. *)
val present_tags : Types.row_desc -> (string * Types.type_expr option) list

(** {2 Parts of expressions} *)

(** Scrutinee and cases of a [match], if it handles no effects. *)
val match_of :
  Typedtree.expression -> (Typedtree.expression * Typedtree.computation Typedtree.case list) option

(** Body and handlers of a [try], likewise. *)
val try_of : Typedtree.expression -> (Typedtree.expression * Typedtree.value Typedtree.case list) option

(** What a pattern of a variable or an alias binds. *)
val binder :
  Typedtree.pattern -> [ `Variable of Ident.t | `Alias of Ident.t * Typedtree.pattern | `Other ]

(** [try_with ~like body handler] is [try body with exn -> handler exn], at the place of [like]. *)
val try_with :
  like:Typedtree.expression ->
  Typedtree.expression ->
  (Typedtree.expression -> Typedtree.expression) ->
  Typedtree.expression

(** {1 Lowering} *)

(** Below 5.3 the compiler assumes that a field read in a match stays unchanged, although a guard or a lazy pattern
    may change it. The resulting code then confuses types. This rewrites every such match so that each case reads the
    value again. *)
val reread_in_matches : Typedtree.structure -> Typedtree.structure

(** Below 5.2 the compiler accepts some recursive values and then builds them wrongly. This refuses them, given a
    unit's translation before and after simplification.
    @raise Location.Error if the unit has one. *)
val check_recursive_values : Typedtree.structure -> translated:Lambda.lambda -> simplified:Lambda.lambda -> unit

(** Does this version accept the declarations that {!Soundness.check} looks for? *)
val accepts_unsound_declarations : bool

val translate : string -> Typedtree.structure -> Typedtree.module_coercion -> Lambda.program

(** Bytecode with its relocations. *)
type bytecode

val emit : Lambda.lambda -> bytecode

(** {1 Linking against the runner} *)

(** [load_tables runner] reads the numbers of globals and primitives from the runner's executable file. *)
val load_tables : string -> unit

(** The table's slot for a unit's global, made if need be. *)
val slot_of_unit : string -> int

(** Resolves references. @raise Symtable.Error on a name that the runner does not have. *)
val patch : bytecode -> string

(** The units that a piece of bytecode refers to. *)
val units_referred_to : bytecode -> string list

(** [split_equality e] is [Some (left, right)] where [e] is [left = right] with the standard library's equality. *)
val split_equality : Typedtree.expression -> (Typedtree.expression * Typedtree.expression) option
