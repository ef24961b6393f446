#!/usr/bin/env bash
# Runs every example and compares what it prints with examples/expected/NAME.txt. An example without an
# expectation fails: its output would be checked by nobody. `--bless` writes the expectations anew.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet --examples
bless=${1:-}
mkdir -p examples/expected
failed=0
for source in examples/*.rs; do
    name=$(basename "$source" .rs)
    expected=examples/expected/$name.txt
    output=$(cargo run --release --quiet --example "$name") || {
        echo "example $name failed"
        failed=1
        continue
    }
    if [ "$bless" = --bless ]; then
        printf '%s\n' "$output" >"$expected"
    elif [ ! -f "$expected" ]; then
        echo "example $name: no expectation in $expected"
        failed=1
    elif ! diff -u <(tr -d '\r' <"$expected") <(printf '%s\n' "$output"); then
        echo "example $name prints something else than $expected"
        failed=1
    else
        echo "example $name: as expected"
    fi
done
exit $failed
