#!/bin/sh
# Builds sdist and wheel into dist/, installs the wheel alone into a fresh environment, and uses it as a newcomer would:
# an episode, a verdict, an evaluation, the service; and without OCaml, one message. `make test-wheel` calls it.
set -eu

cd "$(dirname "$0")/.."
. scripts/lib.sh

VENV=$PWD/build/wheel-venv
PYTHON=$PWD/.venv/bin/python

rm -rf dist "$VENV"
quiet "$PYTHON" -m hatchling build || die "the package was not built (the last lines are above)."
quiet "$PYTHON" -m venv "$VENV" || die "$VENV could not be made (the last lines are above)."

install() {
    quiet "$VENV/bin/python" -m pip install --disable-pip-version-check --constraint constraints.txt "$@" ||
        die "pip could not install the wheel (its last lines are above)."
}
install dist/*.whl
WHEEL=$(echo "$PWD"/dist/*.whl)

scratch=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$scratch"' EXIT
ROOT=$PWD
cd "$scratch" # away from the checkout, which Python would import
unset PYTHONPATH
export OCAML_ENV_CACHE="$scratch/engine"

say "an episode, a verdict and an evaluation, with the core dependencies"
"$VENV/bin/python" "$ROOT/examples/one_episode.py" | grep -q 'PASSED, reward' || die "the episode did not pass."
echo 'let snake_case name = name' >answer.ml
status=0
"$VENV/bin/ocaml-env" verify snake_case answer.ml >verdict || status=$?
[ "$status" = 1 ] && grep -q TEST_FAILURE verdict || die "the wrong answer ended with $status."
"$VENV/bin/ocaml-env" evaluate --model agent:reference --n 1 --limit 3 --out out | grep -q '3 PASSED' ||
    die "the reference did not pass."

say "the service, with its extra"
cd "$ROOT" && install "$WHEEL[evaluate,server]" && cd "$scratch"
"$VENV/bin/ocaml-env" serve --port 8765 >serve.log 2>&1 &
server=$!
"$VENV/bin/python" - <<'PROGRAM' || die "the service did not answer: $(cat serve.log)"
import ocaml_env
from ocaml_env.verifiers.remote.client import RemoteVerifier

with RemoteVerifier("http://127.0.0.1:8765") as verifier:  # it waits until the service answers
    problem = ocaml_env.load_problems("bundled").get("snake_case")
    assert verifier.verify(problem, problem.reference).passed
PROGRAM

say "without OCaml, one message"
for command in doctor "verify snake_case answer.ml" "evaluate --model agent:reference --limit 1 --out none" "serve --port 8766"; do
    status=0
    # shellcheck disable=SC2086 # a command is words
    PATH=$VENV/bin "$VENV/bin/ocaml-env" $command >message 2>&1 || status=$?
    [ "$status" = 3 ] && [ "$(grep -c 'apt-get install ocaml-nox' message)" = 1 ] || die "$command: $(cat message)"
done
say "the wheel alone serves environment, evaluation and service"
