type image = { code : string; literals : (int * Obj.t) array; globals : int }
type constructors = (string * int list) array

type work =
  | Calls of { constructors : constructors; suite : int; schedule : int array; seeds : int array; has_inside : bool; nonce : string }
  | Main

type cpu_grace = { more_cpu_us : int; most_words : int; from_memory_bytes : int; from_output_bytes : int }

type request = {
  work : work;
  stdin : string option;
  keep_stdout : bool;
  output_bytes : int;
  memory_bytes : int;
  test_cpu_us : int;
  total_cpu_us : int;
  cpu_grace : cpu_grace option;
}

type ending = Exited of int | Signaled of int | Killed
type death = { ending : ending; cpu_us : int; late_us : int option }
type answer = { report : string; stdout : string; ending : ending; cpu_us : int; late_us : int option }
