"""The texts on which aligners are compared, made from the shared data.

    python3 benches/peers/align_text.py ../shared/data OUT_DIR [EUROPARL_PAIRS]

Writes tab-separated pairs: `mwa.tsv` (MultiMWA wiki and mtref, dev before train), `short.tsv` (Edinburgh and
MSR-RTE2, lower-cased), `hansards.tsv` (the 37 trial rows), `hansards-more.tsv` (the same, then Europarl pairs
in the tokens of the Hansards), `mwa-more.tsv` and `short-more.tsv` (the same, then paraphrase pairs), and
`europarl.tsv` (EUROPARL_PAIRS pairs, 500,000 unless told, of 1 to 100 tokens). Gold rows come first, in the
order of `GOLD` below; `gold.NAME.tsv` holds each set's gold, `spans` where its rows begin.
"""

import gzip
import os
import re
import sys

GOLD = {
    "mwa": ["mwa-wiki.dev", "mwa-mtref.dev", "mwa-wiki.train", "mwa-mtref.train"],
    "short": ["edinburgh.train", "msr-rte2.dev.surepos"],
    "hansards": ["hansards.en-fr.trial"],
}
PARTS = re.compile(r"\w+['’](?=\w)|\d+(?:[.,]\d+)*|\w+|[^\w\s]")
ELIDED = {"l": "le", "d": "de", "qu": "que", "s": "se", "n": "ne", "j": "je", "m": "me", "c": "ce", "t": "te"}
JOINED = {"du": "de le", "des": "de les", "au": "à le", "aux": "à les"}


def lines(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        for line in stream:
            yield line.rstrip("\n").split("\t")


def english(text):
    """Words and signs apart; 's and its like stand alone."""
    text = re.sub(r"['’](s|re|ve|ll|d|m)\b", r" '\1", text)
    return " ".join(re.findall(r"'(?:s|re|ve|ll|d|m)\b|\d+(?:[.,]\d+)*|\w+|[^\w\s]", text))


def french(text):
    """As the Hansards have it: elided and joined articles are written out."""
    words = []
    for word in PARTS.findall(text):
        stem = word.rstrip("'’")
        if stem != word:
            word = ELIDED.get(stem.lower(), word)
        words.append(JOINED.get(word.lower(), word))
    return " ".join(words)


def europarl(data, most):
    found = 0
    for name in ("core150k", "extra"):
        for row in lines(f"{data}/bitext/europarl.en-fr.{name}.tsv.gz"):
            pair = english(row[0]), french(row[1])
            if all(1 <= len(side.split()) <= 100 for side in pair):
                yield pair
                found += 1
                if found == most:
                    return


def paraphrases(data):
    """Pairs of sentences that mean the same, plainly tokenised."""
    for row in lines(f"{data}/pairs/msrpc.train.tsv.gz"):
        if row[0] == "1":
            yield english(row[1]), english(row[2])
    for row in lines(f"{data}/pairs/pan.train.tsv.gz"):
        if row[0] == "1":
            yield english(row[1]), english(row[2])
    for row in lines(f"{data}/groups/asset.valid.tsv.gz"):
        for other in row[2:]:
            yield english(row[1]), english(other)


def write(path, pairs):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        for source, target in pairs:
            if source.strip() and target.strip():
                out.write(f"{source}\t{target}\n")


def main():
    data, out = sys.argv[1], sys.argv[2]
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 500_000
    os.makedirs(out, exist_ok=True)
    spans, texts = [], {}
    for name, sets in GOLD.items():
        pairs = texts[name] = []
        for each in sets:
            rows = list(lines(f"{data}/align-gold/{each}.tsv.gz"))
            spans.append(f"{name}\t{each}\t{len(pairs)}\t{len(rows)}\n")
            lower = str.lower if name == "short" else str
            pairs += [(lower(row[1]), lower(row[2])) for row in rows]
            with open(f"{out}/gold.{each}.tsv", "w", encoding="utf-8", newline="\n") as gold:
                gold.writelines("\t".join(row) + "\n" for row in rows)
        write(f"{out}/{name}.tsv", pairs)
    with open(f"{out}/spans", "w", encoding="utf-8") as table:
        table.writelines(spans)
    more = list(paraphrases(data))
    write(f"{out}/mwa-more.tsv", texts["mwa"] + more)
    write(f"{out}/short-more.tsv", texts["short"] + [(a.lower(), b.lower()) for a, b in more])
    write(f"{out}/europarl.tsv", europarl(data, most))
    write(f"{out}/hansards-more.tsv", texts["hansards"] + list(europarl(data, 100_000)))


if __name__ == "__main__":
    main()
