type image = { code : string; literals : (int * Obj.t) array; globals : int }
type work = Calls of { suite : int; schedule : int array; nonce : string } | Main

type request = {
  work : work;
  stdin : string option;
  keep_stdout : bool;
  output_bytes : int;
  memory_bytes : int;
  test_cpu_us : int;
  total_cpu_us : int;
}

type ending = Exited of int | Signaled of int | Killed
type death = { ending : ending; cpu_us : int; peak_bytes : int }
type answer = { report : string; stdout : string; ending : ending; cpu_us : int; peak_bytes : int }
