type profile = Function | Program

type status =
  | Everywhere
  | In_programs
  | Stands_for of string
  | For_the_compiler
  | Withheld of string
  | Unclassified

type rules = {
  allowed : string list;
  program_only : string list;
  stand_ins : (string * string) list;
  withheld : (string * string list) list;
}

(* How the lists are written: words separated by blanks, prefixed by the module that they are inside of. *)

let words text = List.filter (( <> ) "") (String.split_on_char ' ' (String.map (function '\n' -> ' ' | c -> c) text))
let inside path names = List.map (fun name -> path ^ "." ^ name) names
let inside_each paths names = List.concat_map (fun path -> inside path names) paths

let rules ?(program_only = []) ?(stand_ins = []) ?(withheld = []) allowed =
  { allowed; program_only; stand_ins; withheld }

(* The reasons that recur. *)

let exits = "ends the process or runs when it ends"
let opens_files = "reaches files"
let unchecked = "does not check its arguments"
let raw_printf = "hands its format to the C library unchecked, which reads arbitrary memory"
let code_addresses = "shows addresses of code, which change from run to run"
let internal = "is an internal of the library"
let serialises = "writes or reads values without regard to their types"

(* {1 Lists shared by units that are variants of each other} *)

let stdlib =
  rules
    (words
       {|raise raise_notrace invalid_arg failwith = <> < > <= >= compare min max == != not && & || or |> @@ ~- ~+ succ
         pred + - * / mod abs max_int min_int land lor lxor lnot lsl lsr asr ~-. ~+. +. -. *. /. ** sqrt exp log log10
         expm1 log1p cos sin tan acos asin atan atan2 hypot cosh sinh tanh acosh asinh atanh ceil floor abs_float
         copysign mod_float frexp ldexp modf float float_of_int truncate int_of_float infinity neg_infinity nan
         max_float min_float epsilon_float classify_float ^ int_of_char char_of_int ignore string_of_bool
         bool_of_string_opt bool_of_string string_of_int int_of_string_opt int_of_string string_of_float
         float_of_string_opt float_of_string fst snd @ ref ! := incr decr string_of_format format_of_string ^^ __LOC__
         __FILE__ __LINE__ __MODULE__ __POS__ __FUNCTION__ __LOC_OF__ __LINE_OF__ __POS_OF__ stdout stderr print_char
         print_string print_bytes print_int print_float print_endline print_newline prerr_char prerr_string
         prerr_bytes prerr_int prerr_float prerr_endline prerr_newline flush flush_all output_char output_string
         output_bytes output output_substring output_byte output_binary_int set_binary_mode_out|})
    ~program_only:
      (words
         {|exit at_exit stdin read_line read_int_opt read_int read_float_opt read_float input_char input_line input
           really_input really_input_string input_byte input_binary_int seek_in pos_in in_channel_length close_in
           close_in_noerr set_binary_mode_in close_out close_out_noerr|})
    ~withheld:
      [
        (exits, words "do_at_exit do_domain_local_at_exit");
        (opens_files, words "open_out open_out_bin open_out_gen open_in open_in_bin open_in_gen");
        (serialises, words "output_value input_value");
        (unchecked, words "unsafe_really_input");
        (internal, words "valid_float_lexem");
        ( "moves about in the output, which is not a file",
          words "seek_out pos_out out_channel_length"
          @ inside "LargeFile" (words "seek_out pos_out out_channel_length seek_in pos_in in_channel_length") );
      ]

(* [unsafe_get] and [unsafe_set] are allowed wherever their primitives have checked counterparts. *)

let floatarray_primitives = words "create length get set unsafe_get unsafe_set"

let array =
  rules
    (words
       {|length get set make create create_float make_float init make_matrix init_matrix create_matrix append concat
         sub copy fill blit to_list of_list iter iteri map mapi map_inplace mapi_inplace fold_left fold_left_map
         fold_right iter2 map2 for_all exists for_all2 exists2 mem memq find_opt find_index find_map find_mapi split
         combine sort stable_sort fast_sort shuffle to_seq to_seqi of_seq unsafe_get unsafe_set|}
    @ inside "Floatarray" floatarray_primitives)

let float_array =
  words
    {|length get set make create init make_matrix init_matrix append concat sub copy fill blit to_list of_list iter
      iteri map mapi map_inplace mapi_inplace fold_left fold_right iter2 map2 for_all exists mem mem_ieee find_opt
      find_index find_map find_mapi sort stable_sort fast_sort shuffle to_seq to_seqi of_seq map_to_array
      map_from_array unsafe_get unsafe_set|}

let unicode_getters =
  words "get_utf_8_uchar is_valid_utf_8 get_utf_16be_uchar is_valid_utf_16be get_utf_16le_uchar is_valid_utf_16le"

let integer_getters =
  words
    {|get_uint8 get_int8 get_uint16_ne get_uint16_be get_uint16_le get_int16_ne get_int16_be get_int16_le get_int32_ne
      get_int32_be get_int32_le get_int64_ne get_int64_be get_int64_le|}

let bytes =
  rules
    (words
       {|length get set create make init empty copy of_string to_string sub sub_string extend fill blit blit_string
         concat cat iter iteri map mapi fold_left fold_right for_all exists trim escaped index index_opt rindex
         rindex_opt index_from index_from_opt rindex_from rindex_from_opt contains contains_from rcontains_from
         uppercase lowercase capitalize uncapitalize uppercase_ascii lowercase_ascii capitalize_ascii
         uncapitalize_ascii compare equal starts_with ends_with split_on_char to_seq to_seqi of_seq set_uint8 set_int8
         set_uint16_ne set_uint16_be set_uint16_le set_int16_ne set_int16_be set_int16_le set_int32_ne set_int32_be
         set_int32_le set_int64_ne set_int64_be set_int64_le set_utf_8_uchar set_utf_16be_uchar set_utf_16le_uchar
         unsafe_get unsafe_set unsafe_blit unsafe_blit_string unsafe_fill|}
    @ integer_getters @ unicode_getters)
    (* Common in honest code, and sharing is all that is unsafe about them: a copy serves as well. *)
    ~stand_ins:[ ("unsafe_to_string", "caml_obj_dup"); ("unsafe_of_string", "caml_obj_dup") ]
    ~withheld:[ (unchecked, words "unsafe_escape") ]

let string =
  rules
    (words
       {|make init empty of_bytes to_bytes length get concat cat equal compare starts_with ends_with contains_from
         rcontains_from contains sub split_on_char map mapi fold_left fold_right for_all exists trim escaped
         uppercase_ascii lowercase_ascii capitalize_ascii uncapitalize_ascii iter iteri index_from index_from_opt
         rindex_from rindex_from_opt index index_opt rindex rindex_opt to_seq to_seqi of_seq create set blit copy fill
         uppercase lowercase capitalize uncapitalize hash seeded_hash unsafe_get unsafe_set unsafe_blit unsafe_fill|}
    @ integer_getters @ unicode_getters)

let list =
  rules
    (words
       {|length compare_lengths compare_length_with is_empty cons hd tl nth nth_opt rev init append rev_append concat
         flatten equal compare iter iteri map mapi rev_map filter_map concat_map fold_left_map fold_left fold_right
         iter2 map2 rev_map2 fold_left2 fold_right2 for_all exists for_all2 exists2 mem memq find find_opt find_index
         find_map find_mapi filter find_all filteri take drop take_while drop_while partition partition_map assoc
         assoc_opt assq assq_opt mem_assoc mem_assq remove_assoc remove_assq split combine sort stable_sort fast_sort
         sort_uniq merge to_seq of_seq|})

let map_items =
  words
    {|empty is_empty mem add add_to_list update singleton remove merge union compare equal iter fold for_all exists
      filter filter_map partition cardinal bindings min_binding min_binding_opt max_binding max_binding_opt choose
      choose_opt split find find_opt find_first find_first_opt find_last find_last_opt map mapi to_list of_list to_seq
      to_rev_seq to_seq_from add_seq of_seq|}

let set_items =
  words
    {|empty is_empty mem add singleton remove union inter disjoint diff compare equal subset iter map fold for_all
      exists filter filter_map partition cardinal elements min_elt min_elt_opt max_elt max_elt_opt choose choose_opt
      split find find_opt find_first find_first_opt find_last find_last_opt to_list of_list to_seq_from to_seq
      to_rev_seq add_seq of_seq|}

let table_items =
  words
    {|create clear reset copy add remove find find_opt find_all replace mem iter filter_map_inplace fold length stats
      to_seq to_seq_keys to_seq_values add_seq replace_seq of_seq|}

let ordered make items = inside "OrderedType" [ "compare" ] @ inside_each [ "S"; make ] items
let map = ordered "Make" map_items
let set = ordered "Make" set_items

let hashtbl =
  table_items
  @ words "is_randomized rebuild hash seeded_hash hash_param seeded_hash_param"
  @ inside "HashedType" (words "equal hash")
  @ inside "SeededHashedType" (words "equal hash seeded_hash")
  @ inside_each (words "S Make SeededS MakeSeeded") table_items

let randomises = "makes the order of tables change from run to run"

(* {1 The units} *)

let texts =
  [
    ("Stdlib__String", string);
    ("Stdlib__StringLabels", string);
    ("Stdlib__Bytes", bytes);
    ("Stdlib__BytesLabels", bytes);
    ( "Stdlib__Char",
      rules
        (words "code chr escaped lowercase uppercase lowercase_ascii uppercase_ascii compare equal seeded_hash hash")
        (* A character above 255 would run past the jump table of a [match]. *)
        ~stand_ins:[ ("unsafe_chr", "ocaml_env_char_of_int") ] );
    ( "Stdlib__Uchar",
      rules
        (words
           {|min max bom rep succ pred is_valid of_int to_int is_char of_char to_char equal compare hash seeded_hash
             utf_decode_is_valid utf_decode_uchar utf_decode_length utf_decode utf_decode_invalid utf_8_byte_length
             utf_16_byte_length|})
        ~stand_ins:[ ("unsafe_of_int", "ocaml_env_uchar_of_int") ]
        ~withheld:[ (unchecked, words "unsafe_to_char") ] );
    ( "Stdlib__Buffer",
      rules
        (words
           {|create contents to_bytes sub blit nth length clear reset output_buffer truncate add_char add_utf_8_uchar
             add_utf_16le_uchar add_utf_16be_uchar add_string add_bytes add_substring add_subbytes add_substitute
             add_buffer to_seq to_seqi add_seq of_seq add_uint8 add_int8 add_uint16_ne add_uint16_be add_uint16_le
             add_int16_ne add_int16_be add_int16_le add_int32_ne add_int32_be add_int32_le add_int64_ne add_int64_be
             add_int64_le|})
        ~program_only:(words "add_channel") );
    ( "Stdlib__Digest",
      rules
        (words "compare equal string bytes substring subbytes output to_hex from_hex of_hex"
        @ inside "S" (words "hash_length compare equal string bytes substring subbytes output to_hex of_hex"))
        ~withheld:[ (opens_files, words "channel file input" @ inside "S" (words "channel file input")) ] );
    ( "Str",
      rules
        (words
           {|regexp regexp_case_fold quote regexp_string regexp_string_case_fold string_match search_forward
             search_backward string_partial_match matched_string match_beginning match_end matched_group
             group_beginning group_end global_replace replace_first global_substitute substitute_first split
             bounded_split split_delim bounded_split_delim full_split bounded_full_split string_before string_after
             first_chars last_chars|})
        (* It copies the groups of the last search, wherever they lie, out of a string that may be shorter. *)
        ~withheld:[ ("reads past the end of a string other than the one searched", words "replace_matched") ] );
  ]

let numbers =
  let hashes = words "seeded_hash hash" in
  let integer =
    words
      {|zero one minus_one neg add sub mul div rem succ pred abs max_int min_int logand logor logxor lognot shift_left
        shift_right shift_right_logical equal compare min max to_float of_float to_string|}
    @ hashes
  in
  let boxed =
    integer @ words "unsigned_div unsigned_rem of_int to_int unsigned_to_int of_string of_string_opt unsigned_compare"
  in
  let boxed_integer more = rules (boxed @ words more) ~withheld:[ (raw_printf, words "format") ] in
  [
    ("Stdlib__Int", rules integer);
    ("Stdlib__Int32", boxed_integer "bits_of_float float_of_bits");
    ( "Stdlib__Int64",
      boxed_integer "bits_of_float float_of_bits of_int32 to_int32 of_nativeint to_nativeint" );
    ("Stdlib__Nativeint", boxed_integer "size of_int32 to_int32");
    ( "Stdlib__Float",
      rules
        (words
           {|zero one minus_one neg add sub mul div fma rem succ pred abs infinity neg_infinity nan signaling_nan
             quiet_nan pi max_float min_float epsilon is_finite is_infinite is_nan is_integer of_int to_int of_string
             of_string_opt to_string classify_float pow sqrt cbrt exp exp2 log log10 log2 expm1 log1p cos sin tan acos
             asin atan atan2 hypot cosh sinh tanh acosh asinh atanh erf erfc trunc round ceil floor next_after
             copy_sign sign_bit frexp ldexp modf compare equal min max min_max min_num max_num min_max_num|}
        @ hashes
        @ inside_each (words "Array ArrayLabels") float_array) );
    ("Stdlib__Complex", rules (words "zero one i neg conj add sub mul inv div sqrt norm2 norm arg polar exp log pow"));
    ("Stdlib__Bool", rules (words "not && || equal compare to_int to_float to_string" @ hashes));
    (* Deterministic: the runner fixes what [self_init] draws from. *)
    ( "Stdlib__Random",
      let draws =
        words
          {|bits int full_int int32 nativeint int64 float bool int_in_range int32_in_range nativeint_in_range
            int64_in_range bits32 bits64 nativebits split|}
      in
      rules
        (words "init full_init self_init get_state set_state"
        @ draws
        @ inside "State" (words "make make_self_init copy to_binary_string of_binary_string" @ draws)) );
  ]

let containers =
  [
    ("Stdlib__List", list);
    ("Stdlib__ListLabels", list);
    ("Stdlib__Array", array);
    ("Stdlib__ArrayLabels", array);
    ("Stdlib__Map", rules map);
    ("Stdlib__Set", rules set);
    ("Stdlib__Hashtbl", rules hashtbl ~withheld:[ (randomises, words "randomize") ]);
    ( "Stdlib__MoreLabels",
      rules
        (inside "Hashtbl" hashtbl @ inside "Map" map @ inside "Set" set)
        ~withheld:[ (randomises, words "Hashtbl.randomize") ] );
    ("Stdlib__StdLabels", rules []);
    ( "Stdlib__Seq",
      rules
        (words
           {|empty return cons append map filter filter_map concat flat_map concat_map fold_left iter unfold is_empty
             uncons length iteri fold_lefti for_all exists find find_index find_map find_mapi iter2 fold_left2
             for_all2 exists2 equal compare init repeat forever cycle iterate mapi scan take drop take_while
             drop_while group memoize once transpose zip map2 interleave sorted_merge product map_product unzip split
             partition_map partition of_dispenser to_dispenser ints|}) );
    ( "Stdlib__Queue",
      rules
        (words
           {|create add push take take_opt pop peek peek_opt top drop clear copy is_empty length iter fold transfer
             to_seq add_seq of_seq|}) );
    ( "Stdlib__Stack",
      rules
        (words "create push pop pop_opt drop top top_opt clear copy is_empty length iter fold to_seq add_seq of_seq") );
    ( "Stdlib__Dynarray",
      rules
        (words
           {|create make init get set length is_empty get_last find_last copy add_last append_array append_list append
             append_seq append_iter blit pop_last_opt pop_last remove_last truncate clear iter iteri map mapi
             fold_left fold_right filter filter_map exists for_all mem memq find_opt find_index find_map find_mapi
             equal compare of_array to_array of_list to_list of_seq to_seq to_seq_reentrant to_seq_rev
             to_seq_rev_reentrant capacity ensure_capacity ensure_extra_capacity fit_capacity set_capacity reset|}) );
    ( "Stdlib__Stream",
      rules
        (words
           {|from of_list of_string of_bytes iter next empty peek junk count npeek iapp icons ising lapp lcons lsing
             sempty slazy dump|})
        ~program_only:(words "of_channel") );
    ( "Stdlib__Bigarray",
      let whole = words "create init kind layout change_layout size_in_bytes get set blit fill" in
      let edges = words "sub_left sub_right" in
      rules
        (words
           {|float16 float32 float64 complex32 complex64 int8_signed int8_unsigned int16_signed int16_unsigned int
             int32 int64 nativeint char kind_size_in_bytes c_layout fortran_layout genarray_of_array0
             genarray_of_array1 genarray_of_array2 genarray_of_array3 array0_of_genarray array1_of_genarray
             array2_of_genarray array3_of_genarray reshape_0 reshape_1|}
        @ inside "Genarray" (whole @ words "num_dims dims nth_dim slice_left slice_right")
        @ inside "Array0" (whole @ words "of_value")
        @ inside "Array1" (whole @ words "dim sub slice of_array unsafe_get unsafe_set")
        @ inside "Array2" (whole @ edges @ words "dim1 dim2 slice_left slice_right of_array unsafe_get unsafe_set")
        @ inside "Array3"
            (whole @ edges
            @ words "dim1 dim2 dim3 slice_left_1 slice_right_1 slice_left_2 slice_right_2"
            @ words "of_array unsafe_get unsafe_set"))
        ~withheld:
          [
            (* Below 5.x the product of the new dimensions may wrap around; one dimension cannot. *)
            ("can make an array larger than its memory", words "reshape reshape_2 reshape_3");
            (* The other arrays always have the dimension that these take for granted. *)
            ("reads outside of an array without dimensions", inside "Genarray" edges);
          ] );
  ]

(* References that do not keep their values alive. Honest caches do not depend on when the collector runs. A copy of a
   value bit by bit is another matter: it duplicates what its type says is unique. *)
let weak =
  let copies = "copies a value bit by bit, whatever its type" in
  let weak_set = words "create clear merge add remove find find_opt find_all mem iter fold count stats" in
  let key k = [ "get_" ^ k; "set_" ^ k; "unset_" ^ k; "check_" ^ k ] in
  let data = key "data" @ [ "blit_data" ] in
  let table = table_items @ words "clean stats_alive" in
  let bucket = words "make add remove find length clear" in
  [
    ( "Stdlib__Weak",
      rules
        (words "create length set get check fill blit" @ inside_each (words "S Make") weak_set)
        ~withheld:[ (copies, words "get_copy") ] );
    ( "Stdlib__Ephemeron",
      rules
        (inside_each (words "S SeededS K1.Make K1.MakeSeeded K2.Make K2.MakeSeeded Kn.Make Kn.MakeSeeded") table
        @ inside_each (words "K1 K2 Kn") (words "create make query" @ data)
        @ inside_each (words "K1.Bucket K2.Bucket Kn.Bucket") bucket
        @ inside_each (words "K1 Kn") (key "key" @ [ "blit_key" ])
        @ inside "K2" (key "key1" @ key "key2" @ words "blit_key1 blit_key2 blit_key12"))
        ~withheld:
          [
            ( copies,
              inside_each (words "K1 Kn") (words "get_key_copy get_data_copy")
              @ inside "K2" (words "get_key1_copy get_key2_copy get_data_copy") );
            (internal, inside "GenHashTable.MakeSeeded" table);
          ] );
  ]

let control =
  [
    ("Stdlib__Fun", rules (words "id const flip negate protect compose"));
    ( "Stdlib__Option",
      rules
        (words "none some value get bind join map fold iter is_none is_some equal compare to_result to_list to_seq") );
    ( "Stdlib__Result",
      rules
        (words
           {|ok error value get_ok get_error bind join map map_error fold iter iter_error is_ok is_error equal compare
             to_option to_list to_seq|}) );
    ( "Stdlib__Either",
      rules
        (words
           {|left right is_left is_right find_left find_right map_left map_right map fold iter for_all equal
             compare|}) );
    ("Stdlib__Unit", rules (words "equal compare to_string"));
    ("Stdlib__Type", rules (inside "Id" (words "make uid provably_equal")));
    ( "Stdlib__Lazy",
      rules (words "force map is_val from_val map_val from_fun force_val lazy_from_fun lazy_from_val lazy_is_val") );
    ( "Stdlib__Atomic",
      rules (words "make make_contended get set exchange compare_and_set fetch_and_add incr decr") );
    ("Stdlib__Oo", rules (words "copy id") ~withheld:[ (internal, words "new_method public_method_label") ]);
    ( "Stdlib__Printexc",
      rules
        (words
           {|to_string to_string_default print use_printers print_backtrace get_backtrace backtrace_status
             get_raw_backtrace print_raw_backtrace raw_backtrace_to_string raise_with_backtrace backtrace_slots
             raw_backtrace_length exn_slot_id exn_slot_name string_of_extension_constructor register_printer|}
        @ inside "Slot" (words "is_raise is_inline location name format"))
        (* Recording stays off, so that the backtraces above are empty and the same in every run. *)
        ~stand_ins:[ ("record_backtrace", "%ignore") ]
        ~withheld:
          [
            (exits, words "catch default_uncaught_exception_handler set_uncaught_exception_handler");
            ( code_addresses,
              words
                {|raw_backtrace_entries get_callstack backtrace_slots_of_raw_entry get_raw_backtrace_slot
                  convert_raw_backtrace_slot get_raw_backtrace_next_slot|} );
          ] );
  ]

let printing_and_scanning =
  [
    ( "Stdlib__Printf",
      rules
        (words
           {|fprintf printf eprintf sprintf bprintf ifprintf ibprintf kfprintf ikfprintf ksprintf kbprintf ikbprintf
             kprintf|}) );
    (* Every channel that a formatter can be pointed at is already a candidate's own. *)
    ( "Stdlib__Format",
      rules
        (words
           {|pp_open_box open_box pp_close_box close_box pp_open_hbox open_hbox pp_open_vbox open_vbox pp_open_hvbox
             open_hvbox pp_open_hovbox open_hovbox pp_print_string print_string pp_print_bytes print_bytes pp_print_as
             print_as pp_print_int print_int pp_print_float print_float pp_print_char print_char pp_print_bool
             print_bool pp_print_space print_space pp_print_cut print_cut pp_print_break print_break
             pp_print_custom_break pp_force_newline force_newline pp_print_if_newline print_if_newline pp_print_flush
             print_flush pp_print_newline print_newline pp_set_margin set_margin pp_get_margin get_margin
             pp_set_max_indent set_max_indent pp_get_max_indent get_max_indent check_geometry pp_set_geometry
             set_geometry pp_safe_set_geometry safe_set_geometry pp_update_geometry update_geometry pp_get_geometry
             get_geometry pp_set_max_boxes set_max_boxes pp_get_max_boxes get_max_boxes pp_over_max_boxes
             over_max_boxes pp_open_tbox open_tbox pp_close_tbox close_tbox pp_set_tab set_tab pp_print_tab print_tab
             pp_print_tbreak print_tbreak pp_set_ellipsis_text set_ellipsis_text pp_get_ellipsis_text
             get_ellipsis_text pp_open_stag open_stag pp_close_stag close_stag pp_open_tag open_tag pp_close_tag
             close_tag pp_set_tags set_tags pp_set_print_tags set_print_tags pp_set_mark_tags set_mark_tags
             pp_get_print_tags get_print_tags pp_get_mark_tags get_mark_tags pp_set_formatter_out_channel
             set_formatter_out_channel pp_set_formatter_output_functions set_formatter_output_functions
             pp_get_formatter_output_functions get_formatter_output_functions pp_set_formatter_out_functions
             set_formatter_out_functions pp_get_formatter_out_functions get_formatter_out_functions
             pp_set_formatter_stag_functions set_formatter_stag_functions pp_get_formatter_stag_functions
             get_formatter_stag_functions pp_set_formatter_tag_functions set_formatter_tag_functions
             pp_get_formatter_tag_functions get_formatter_tag_functions set_all_formatter_output_functions
             get_all_formatter_output_functions pp_set_all_formatter_output_functions
             pp_get_all_formatter_output_functions formatter_of_out_channel synchronized_formatter_of_out_channel
             std_formatter err_formatter get_std_formatter get_err_formatter formatter_of_buffer stdbuf get_stdbuf
             str_formatter get_str_formatter flush_str_formatter make_formatter make_synchronized_formatter
             formatter_of_out_functions make_symbolic_output_buffer clear_symbolic_output_buffer
             get_symbolic_output_buffer flush_symbolic_output_buffer add_symbolic_output_item
             formatter_of_symbolic_output_buffer pp_print_iter pp_print_list pp_print_array pp_print_seq pp_print_text
             pp_print_option pp_print_result pp_print_either pp_print_substring print_substring pp_print_substring_as
             print_substring_as pp_print_nothing pp_infinity fprintf printf eprintf sprintf asprintf dprintf ifprintf
             kfprintf kdprintf ikfprintf ksprintf kasprintf bprintf kprintf|}) );
    ( "Stdlib__Scanf",
      rules
        (words
           "bscanf sscanf kscanf ksscanf bscanf_format sscanf_format format_from_string unescaped bscanf_opt sscanf_opt"
        @ inside "Scanning" (words "from_string from_function end_of_input beginning_of_input name_of_input"))
        ~program_only:
          (words "scanf scanf_opt fscanf kfscanf" @ inside "Scanning" (words "stdin stdib from_channel close_in"))
        ~withheld:[ (opens_files, inside "Scanning" (words "open_in open_in_bin from_file from_file_bin")) ] );
    (* Positions and buffers of a lexer are mutable in the open: nothing here trusts them, but the automata do. *)
    ( "Stdlib__Lexing",
      rules
        (words
           {|dummy_pos from_string from_function set_position set_filename with_positions lexeme lexeme_char
             lexeme_start lexeme_end lexeme_start_p lexeme_end_p new_line flush_input sub_lexeme sub_lexeme_opt
             sub_lexeme_char sub_lexeme_char_opt|})
        ~program_only:(words "from_channel")
        ~withheld:[ (unchecked, words "engine new_engine") ] );
    ("Stdlib__Genlex", rules (words "make_lexer"));
    ( "Stdlib__In_channel",
      rules []
        ~program_only:
          (words
             {|stdin close close_noerr input_char input_byte input_line really_input_string input_all input_lines
               input really_input fold_lines seek pos length set_binary_mode is_binary_mode|})
        ~withheld:
          [
            (opens_files, words "open_bin open_text open_gen with_open_bin with_open_text with_open_gen isatty");
            (internal, words "input_bigarray really_input_bigarray");
          ] );
    ( "Stdlib__Out_channel",
      rules
        (words
           {|stdout stderr output_char output_byte output_string output_bytes output output_substring flush flush_all
             set_binary_mode is_binary_mode set_buffered is_buffered|})
        ~program_only:(words "close close_noerr")
        ~withheld:
          [
            ( opens_files,
              words "open_bin open_text open_gen with_open_bin with_open_text with_open_gen seek pos length isatty" );
            (internal, words "output_bigarray");
          ] );
  ]

let system =
  [
    ( "Stdlib__Sys",
      rules
        (words
           {|argv executable_name getenv getenv_opt time interactive os_type backend_type unix win32 cygwin word_size int_size
             big_endian max_string_length max_array_length max_floatarray_length ocaml_version development_version
             ocaml_release opaque_identity sigabrt sigalrm sigfpe sighup sigill sigint sigkill sigpipe sigquit sigsegv
             sigterm sigusr1 sigusr2 sigchld sigcont sigstop sigtstp sigttin sigttou sigvtalrm sigprof sigbus sigpoll
             sigsys sigtrap sigurg sigxcpu sigxfsz Immediate64.Make.repr|})
        (* Nobody interrupts a candidate from a keyboard. *)
        ~stand_ins:[ ("catch_break", "%ignore") ]
        ~withheld:
          [
            ( opens_files,
              words "file_exists is_directory is_regular_file remove rename chdir mkdir rmdir getcwd readdir" );
            ("starts a process", words "command");
            ("changes how the process takes signals", words "signal set_signal poll_actions");
            (internal, words "runtime_variant runtime_parameters enable_runtime_warnings runtime_warnings_enabled");
          ] );
    ( "Stdlib__Gc",
      rules
        (words
           {|stat quick_stat counters minor_words get set minor major full_major compact print_stat allocated_bytes
             get_minor_free huge_fallback_count|})
        ~withheld:
          [
            ( "has code run whenever the collector does",
              words "finalise finalise_last finalise_release create_alarm delete_alarm"
              @ inside "Memprof" (words "null_tracker start stop discard") );
            (internal, words "major_slice get_bucket get_credit eventlog_pause eventlog_resume");
          ] );
    ( "Stdlib__Filename",
      rules
        (words
           {|current_dir_name parent_dir_name dir_sep concat is_relative is_implicit check_suffix chop_suffix
             chop_suffix_opt extension remove_extension chop_extension basename dirname null get_temp_dir_name
             temp_dir_name quote quote_command|})
        ~withheld:[ (opens_files, words "temp_file open_temp_file temp_dir set_temp_dir_name") ] );
    ( "Stdlib__Arg",
      rules
        (words "parse_argv parse_argv_dynamic parse_and_expand_argv_dynamic usage usage_string align current")
        ~program_only:(words "parse parse_dynamic parse_expand")
        ~withheld:[ (opens_files, words "read_arg read_arg0 write_arg write_arg0") ] );
  ]

let units =
  (("Stdlib", stdlib) :: ("Stdlib__Pervasives", stdlib) :: texts)
  @ numbers @ containers @ weak @ control @ printing_and_scanning @ system

let types_only =
  let one_thread = "belongs to threads, and a candidate has one" in
  [
    ("Stdlib__Obj", "defeats the type system");
    ("Stdlib__Marshal", serialises);
    ("Stdlib__Callback", "registers values with the runtime");
    ("Stdlib__Parsing", unchecked);
    ("Stdlib__Effect", "can carry a computation out of the call that is being evaluated, and only OCaml 5 has it");
    ("Stdlib__Domain", one_thread);
    ("Stdlib__Mutex", one_thread);
    ("Stdlib__Condition", one_thread);
    ("Stdlib__Semaphore", one_thread);
    ("CamlinternalAtomic", internal);
    ("CamlinternalFormat", internal);
    ("CamlinternalFormatBasics", internal);
    ("CamlinternalLazy", internal);
    ("CamlinternalMod", internal);
    ("CamlinternalOO", internal);
  ]

let compiler_only =
  [
    ("CamlinternalLazy", words "force force_gen force_lazy_block");
    ("CamlinternalMod", words "init_mod update_mod");
    ( "CamlinternalOO",
      words
        {|new_variable new_methods_variables get_variable get_variables get_method_label get_method_labels get_method
          set_method set_methods narrow widen add_initializer create_table init_class inherits make_class
          make_class_store dummy_class copy create_object create_object_opt run_initializers run_initializers_opt
          create_object_and_run_initializers lookup_tables|} );
  ]

(* {1 Primitives} *)

let boxed_operations = words "add sub mul div mod neg and or xor lsl lsr asr of_int to_int"

let safe_primitives =
  words
    {|%identity %ignore %opaque %raise %raise_notrace %raise_with_backtrace %apply %revapply %field0 %field1
      %setfield0 %makemutable %incr %decr %lazy_force %boolnot %sequand %sequor %compare %equal %notequal %lessthan
      %lessequal %greaterthan %greaterequal %eq %noteq %loc_FILE %loc_FUNCTION %loc_LINE %loc_LOC %loc_MODULE %loc_POS|}
  (* Arithmetic; divisions check for zero. *)
  @ words
      {|%negint %succint %predint %addint %subint %mulint %divint %modint %andint %orint %xorint %lslint %lsrint
        %asrint %negfloat %absfloat %addfloat %subfloat %mulfloat %divfloat %floatofint %intoffloat|}
  @ List.concat_map
      (fun kind -> List.map (fun operation -> "%" ^ kind ^ "_" ^ operation) boxed_operations)
      (words "int32 int64 nativeint")
  @ words
      {|%int64_of_int32 %int64_to_int32 %int64_of_nativeint %int64_to_nativeint %nativeint_of_int32
        %nativeint_to_int32 caml_int32_of_float caml_int32_to_float caml_int32_bits_of_float caml_int32_float_of_bits
        caml_int64_of_float caml_int64_to_float caml_int64_bits_of_float caml_int64_float_of_bits
        caml_nativeint_of_float caml_nativeint_to_float|}
  @ List.map
      (fun name -> "caml_" ^ name ^ "_float")
      (words
         {|acos acosh asin asinh atan atan2 atanh cbrt ceil classify copysign cos cosh erf erfc exp exp2 expm1 floor
           fma fmod frexp hypot ldexp log log10 log1p log2 modf nextafter power round signbit sin sinh sqrt tan tanh
           trunc|})
  (* Parsers that raise [Failure]. *)
  @ words
      "caml_int_of_string caml_float_of_string caml_int32_of_string caml_int64_of_string caml_nativeint_of_string"
  (* Blocks: creation checks the size, access the index. *)
  @ words
      {|%array_length %array_safe_get %array_safe_set %floatarray_length %floatarray_safe_get %floatarray_safe_set
        %bytes_length %bytes_safe_get %bytes_safe_set %string_length %string_safe_get %string_safe_set caml_make_vect
        caml_array_make caml_make_float_vect caml_array_create_float caml_floatarray_create caml_create_bytes
        caml_create_string caml_obj_dup|}
  (* Bigarrays; [caml_ba_sub] only for arrays that have a dimension. *)
  @ words
      {|%caml_ba_dim_1 %caml_ba_dim_2 %caml_ba_dim_3 %caml_ba_ref_1 %caml_ba_ref_2 %caml_ba_ref_3 %caml_ba_set_1
        %caml_ba_set_2 %caml_ba_set_3 caml_ba_create caml_ba_num_dims caml_ba_dim caml_ba_kind caml_ba_layout
        caml_ba_change_layout caml_ba_get_generic caml_ba_set_generic caml_ba_sub caml_ba_slice caml_ba_blit
        caml_ba_fill|}
  (* The collector, asked for figures or to run. *)
  @ words
      {|caml_gc_stat caml_gc_quick_stat caml_gc_counters caml_gc_minor_words caml_gc_get caml_gc_minor caml_gc_major
        caml_gc_full_major caml_gc_compaction caml_get_minor_free caml_gc_huge_fallback_count|}
  (* The environment is empty, the arguments and the clock are the runner's. *)
  @ words "%sys_argv caml_sys_getenv caml_sys_time"

let checked_primitives =
  [
    ("%array_unsafe_get", "%array_safe_get");
    ("%array_unsafe_set", "%array_safe_set");
    ("%floatarray_unsafe_get", "%floatarray_safe_get");
    ("%floatarray_unsafe_set", "%floatarray_safe_set");
    ("%bytes_unsafe_get", "%bytes_safe_get");
    ("%bytes_unsafe_set", "%bytes_safe_set");
    ("%string_unsafe_get", "%string_safe_get");
    ("%string_unsafe_set", "%string_safe_set");
    ("%caml_ba_unsafe_ref_1", "%caml_ba_ref_1");
    ("%caml_ba_unsafe_ref_2", "%caml_ba_ref_2");
    ("%caml_ba_unsafe_ref_3", "%caml_ba_ref_3");
    ("%caml_ba_unsafe_set_1", "%caml_ba_set_1");
    ("%caml_ba_unsafe_set_2", "%caml_ba_set_2");
    ("%caml_ba_unsafe_set_3", "%caml_ba_set_3");
    ("caml_blit_bytes", "ocaml_env_blit_bytes");
    ("caml_blit_string", "ocaml_env_blit_string");
    ("caml_fill_bytes", "ocaml_env_fill_bytes");
    ("caml_fill_string", "ocaml_env_fill_bytes");
    (* Programs tune the collector for speed; its settings here, the size of the stack among them, are the runner's. *)
    ("caml_gc_set", "%ignore");
  ]

let foreign_units =
  words
    {|Unix UnixLabels Thread ThreadUnix Mutex Condition Semaphore Event Dynlink Runtime_events Profiling Std_exit
      Toploop Topdirs Topmain Topcommon Topeval Opttoploop|}

(* {1 Questions} *)

let table pairs =
  let table = Hashtbl.create 4096 in
  List.iter (fun (key, value) -> Hashtbl.replace table key value) pairs;
  table

let statuses =
  let each unit status paths = List.map (fun path -> ((unit, path), status)) paths in
  let of_rules (unit, { allowed; program_only; stand_ins; withheld }) =
    each unit Everywhere allowed
    @ each unit In_programs program_only
    @ List.map (fun (path, primitive) -> ((unit, path), Stands_for primitive)) stand_ins
    @ List.concat_map (fun (reason, paths) -> each unit (Withheld reason) paths) withheld
  in
  table
    (List.concat_map of_rules units
    @ List.concat_map (fun (unit, paths) -> each unit For_the_compiler paths) compiler_only)

let status ~unit path =
  match Hashtbl.find_opt statuses (unit, path) with
  | Some status -> status
  | None -> ( match List.assoc_opt unit types_only with Some reason -> Withheld reason | None -> Unclassified)

let allows profile ~unit path =
  match status ~unit path with
  | Everywhere | Stands_for _ | For_the_compiler -> true
  | In_programs -> profile = Program
  | Withheld _ | Unclassified -> false

let stand_in ~unit path = match status ~unit path with Stands_for primitive -> Some primitive | _ -> None
let offers_unit unit = List.mem_assoc unit units
let knows_unit unit = offers_unit unit || List.mem_assoc unit types_only
let safe = table (List.map (fun name -> (name, ())) safe_primitives)
let is_safe_primitive name = Hashtbl.mem safe name
let checked_primitive name = List.assoc_opt name checked_primitives
