type t = { total : int; price : int; most : int; mutable lost : int; mutable spent : int }

let backstop = 4

let create (limits : Outcome.limits) =
  let total = limits.total_cpu_us in
  { total; price = 2 * limits.test_cpu_us; most = backstop * total; lost = 0; spent = 0 }

let to_the_letter (limits : Outcome.limits) = { (create limits) with price = 0; most = limits.total_cpu_us }
let spend t cpu_us = t.spent <- t.spent + cpu_us
let spent t = t.spent
let left t = max 0 (t.most - t.spent)

let price t (outcome : Outcome.test) =
  match outcome.status with
  | Timeout | Out_of_memory | Output_limit -> t.price
  | Overflow -> t.price / 4
  | Passed | Wrong | Raised | Crashed | Ran _ | Not_run -> 0

let charge t price = t.lost <- t.lost + price
let is_used_up t = t.lost >= t.total || t.spent >= t.most

let cut limits outcomes ~prices =
  let budget = create limits in
  let outcomes = Array.copy outcomes in
  for test = 0 to Array.length outcomes - 1 do
    if is_used_up budget then outcomes.(test) <- Outcome.too_slow else charge budget prices.(test)
  done;
  outcomes
