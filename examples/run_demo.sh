#!/bin/sh
# A real chain on the example project, in a scratch repository. Needs `scaffold` and `pytest` on PATH.
#   sh examples/run_demo.sh [FOLDER]        (default: .demo beside this folder)
set -eu

start=$PWD
here=$(cd "$(dirname "$0")" && pwd)
scratch=${1:-$here/../.demo}

bold='' plain=''
if [ -t 1 ] || [ -n "${FORCE_COLOR:-}" ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
run() { printf '\n$ %s\n' "$*"; "$@"; }

rm -rf "$scratch"
mkdir -p "$scratch"
scratch=$(cd "$scratch" && pwd)
cp -R "$here/notes_app" "$here/patches" "$scratch/"
cd "$scratch/notes_app"

# An identity of its own, so that the demo runs where git does not know the user yet.
GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@localhost GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@localhost
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
git init -q -b main
git add -A
git commit -q -m "A notes service"
scaffold trust >/dev/null

say "1. Two repairs by the built-in proposer: each is judged, then committed."
run scaffold run notes --goal "harden the service" --with rules --steps 2

say "2. Recorded edits that 'simplify' the code. All tests stay green, yet two of them drop a check."
code=0
run scaffold run notes --goal "simplify the code" --with patches:../patches || code=$?
if [ "$code" -ne 1 ]; then
    echo "The chain should have ended with 1 (its last candidate rejected), not $code." >&2
    exit 1
fi

say "3. What happened, from the ledger. The rejected edits left nothing behind:"
run scaffold log
run git status --short --branch
run git log --oneline

say "Look further"
cat <<TEXT
  cd ${scratch#"$start"/}/notes_app
  scaffold show 1.1        the first edit that was rejected, with the evidence
  scaffold show 1          the step that was accepted after it
  scaffold undo 1          take that step back by a new commit
  scaffold anchors notes   the protections the chain holds on to
  scaffold verify          recompute the ledger's hashes
  git show                 the commit of the last accepted step, with its trailers
TEXT
