# Everything a checkout is used for. Each target does the set-up that it needs; on a machine that is ready that takes
# about a second. `make help` lists them.

SHELL := /bin/sh
BIN := .venv/bin

# A current opam switch serves even where its shell hook was never run.
OPAM_BIN := $(shell command -v ocamlfind >/dev/null 2>&1 || opam var bin 2>/dev/null)
export PATH := $(PATH)$(if $(OPAM_BIN),:$(OPAM_BIN))

.DEFAULT_GOAL := help
.PHONY: help setup demo demo-smollm2 tour test test-integrations test-wheel train-check check docs format bench audit fuzz test-ocaml5 clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

setup: ## install what is missing: OCaml, .venv, the pinned packages; build the engine
	@sh scripts/setup.sh

demo: setup ## the main job: a small policy is evaluated, trained by GRPO, and evaluated again (minutes, on a CPU)
	@$(BIN)/python -m agents.demo

demo-smollm2: setup ## the same with SmolLM2-135M, after a warm start on references (an hour or two, on a CPU)
	@$(BIN)/python -m agents.smollm2
	@test -f grpo_runs/smollm2-warm-strong/model/agent.yaml || $(BIN)/python -m agents.sft --config smollm2-warm-strong
	@$(BIN)/python -m agents.demo --config smollm2 || test $$? -eq 1  # 1: no rise beyond noise, as the last lines say

tour: setup ## play real problems with completions of every kind; see what each one earns
	@$(BIN)/python -m benchmarks.tour

# Three workers, because a test may wait for a server, a browser or a time limit: 451 and 476 s on two cores, where two workers
# took 492 s and left 9% idle. One thread each, because threads that spin while they wait take another's core. The programs that
# the tests start read the bytecode that the first one wrote, even if a machine is set to write none.
test: setup ## run the tests
	@OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist worksteal

test-integrations: setup ## test with the real TRL, SkyRL, GEM, ..., in environments of their own under .cache/
	@sh scripts/test-integrations.sh

test-wheel: setup ## build the wheel, install it alone into a fresh environment, and use it
	@sh scripts/test-wheel.sh

train-check: setup ## the long tests of training: three seeds must rise (half an hour)
	@$(BIN)/python -m pytest -m train

check: setup ## formatting, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

docs: setup ## build the documentation into build/docs/site; a warning or a dead link fails
	@sh scripts/make-docs.sh build/docs

format: setup ## put the code into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup ## measure the engine against ocamlopt, ocamlc and ocaml
	@$(BIN)/python -m benchmarks.performance.throughput

audit: setup ## can the bundled problems be trusted? every test, mutants included
	@$(BIN)/ocaml-env audit bundled

fuzz: setup ## look for texts that break the engine, among OCaml's own testsuite and mutated programs (15 minutes)
	@$(BIN)/python -m benchmarks.stress.fuzz $(FUZZ)

test-ocaml5: ## test with OCaml 5.3, in a Debian trixie that debootstrap puts into .cache/ (needs root)
	@sh scripts/test-ocaml5.sh

clean: ## remove what the set-up and the tests made here
	rm -rf .venv .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
