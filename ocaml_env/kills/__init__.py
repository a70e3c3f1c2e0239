"""Wrong answers for measuring a problem's tests: mutants of its reference, and stubs. The tests must reject them."""
