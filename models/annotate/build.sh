#!/bin/sh
# Trains the model of `pgen annotate` for English and scores it on the development part.
#
#   models/annotate/build.sh [OUT]
#
# PGEN_DATA names the folder of the data (default: ../shared/data beside the repository). The model is
# a separate file under CC BY-SA 4.0 (see NOTICE, which goes into the model); it is not part of pgen.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
data=${PGEN_DATA:-$root/../shared/data}
out=${1:-$here/english.annotator}

cd "$root"
cargo build --release -p pgen-cli
pgen=${CARGO_TARGET_DIR:-target}/release/pgen

"$pgen" annotate train --seed 1 \
    --conllu "$data/trees/ewt.train.conllu.gz" \
    --text "$data/lm/europarl-mono.en.txt.gz" \
    --text "$data/bitext/tatoeba.en-fr.tsv.gz:1" \
    --text "$data/pairs/wikisplit.tsv.gz:1" \
    --text "$data/clusters/opinosis.tsv.gz:2" \
    --text "$data/lm/novels-core.en.txt.gz" \
    --notice "$here/NOTICE" \
    --out "$out"
ls -l "$out"
"$pgen" annotate eval --model "$out" --conllu "$data/trees/ewt.dev.conllu.gz"
