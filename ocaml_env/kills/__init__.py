"""Wrong answers that the tests of a problem must reject: mutants of its reference, and stubs."""
