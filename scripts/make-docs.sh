#!/bin/sh
# Builds the documentation as a site that needs no other file. `make docs` calls it.
#
#   scripts/make-docs.sh FOLDER [PYTHON]     # makes FOLDER anew; the site is FOLDER/site
#
# In a copy, because Zensical keeps a cache of its own in `.cache` beside its configuration, and clears that folder. The
# samples that the leaderboard links to are copied into the site.
set -eu

cd "$(dirname "$0")/.."
python=${2:-$PWD/.venv/bin/python}
rm -rf "$1"
mkdir -p "$1"
cp -R docs zensical.toml "$1"
mkdir "$1/docs/samples"
for file in benchmarks/results/*/completions.jsonl; do
    cp "$file" "$1/docs/samples/$(basename "$(dirname "$file")").jsonl"
done
sed -i.as-kept 's#(\.\./benchmarks/results/\([^/)]*\)/completions\.jsonl)#(samples/\1.jsonl)#' "$1/docs/evaluation.md"
rm "$1/docs/evaluation.md.as-kept"
cd "$1"
"$python" -m zensical build --strict
