#!/usr/bin/env bash
# Builds the embedded English model from the shippable sources, and nothing else does. lexicon.tsv.gz and
# judgements.tsv lie beside it.
#
#   models/english/build.sh [DATA] [OUT]
#
# DATA is the folder of training data (default ../shared/data), OUT the model file (default
# models/english/english.pgen). Takes about ten minutes and 4 GB on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${1:-../shared/data}
out=${2:-models/english/english.pgen}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Text for the language model: parliament, everyday sentences, news, reviews, and a share of old prose.
zcat "$data"/lm/europarl-mono.en.txt.gz >"$work/europarl.txt"
zcat "$data"/bitext/europarl.en-fr.core150k.tsv.gz "$data"/bitext/europarl.en-fr.extra.tsv.gz |
    cut -f1 >"$work/europarl-bitext.txt"
zcat "$data"/bitext/tatoeba.en-fr.tsv.gz | cut -f1 | uniq >"$work/tatoeba.txt"
zcat "$data"/clusters/ecbplus.tsv.gz | cut -f4 >"$work/news.txt"
zcat "$data"/clusters/opinosis.tsv.gz | cut -f2 >"$work/reviews.txt"
zcat "$data"/lm/novels-core.en.txt.gz >"$work/novels.txt"

cargo run --release --quiet -p pgen-cli -- train \
    --bitext "$data"/bitext/europarl.en-fr.core150k.tsv.gz \
    "$data"/bitext/europarl.en-fr.extra.tsv.gz "$data"/bitext/tatoeba.en-fr.tsv.gz \
    --groups "$data"/groups/tatoeba-en.tsv.gz \
    --text "$work"/*.txt \
    --thesaurus "$data"/tables/wordnet30.lite.tsv.gz "$data"/tables/wordnet30.exceptions.tsv.gz \
    --synonyms "$data"/tables/ppdb-xxxl-lexical-synonyms.tsv.gz \
    "$data"/tables/ppdb-xl-lexical-adjacency.txt.gz \
    --lexicon models/english/lexicon.tsv.gz \
    --judgements models/english/judgements.tsv \
    --order 3 --prune 1.2e-7 --quantize 6 --min-word-count 5 \
    --max-words 4 --min-count 5 --min-probability 0.006 --kappa 20 \
    --title "English, general" \
    --out "$out"

size=$(wc -c <"$out")
echo "$out: $size bytes"
if [ "$size" -gt 8388608 ]; then
    echo "too large to embed: the limit is 8 MiB" >&2
    exit 1
fi
