"""Our rows of the table of alignment error rates, made by the pgen program.

    python3 benches/peers/align_table.py PGEN TEXT_DIR OUT_DIR [METHOD ...]

TEXT_DIR is what `align_text.py` wrote. Each model is trained on each text without links, and without the identity
lexicon unless the row says "id"; its directions are combined by every heuristic. Prints rows of the table in
BENCHMARKS.md: AER on the rows of each gold set.
"""

import json
import os
import subprocess
import sys

HEURISTICS = ["intersection", "union", "grow", "grow-diag", "grow-diag-final", "grow-diag-final-and", "och"]
METHODS = ["best", "model4", "model3", "hmm", "hmm-id", "model2", "model1"]
SETS = ["mwa-wiki.dev", "mwa-mtref.dev", "edinburgh.train", "msr-rte2.dev.surepos", "hansards.en-fr.trial"]


def spans(folder):
    with open(f"{folder}/spans", encoding="utf-8") as stream:
        for line in stream:
            text, name, start, length = line.split()
            yield name, text, int(start), int(length)


def run(command, out):
    with open(out, "w", encoding="utf-8") as stream:
        subprocess.run(command, check=True, stdout=stream)


def error_rate(pgen, text_dir, out, name, links, start, length):
    with open(links, encoding="utf-8") as stream:
        rows = stream.read().split("\n")[start : start + length]
    part = f"{out}/part"
    with open(part, "w", encoding="utf-8") as stream:
        stream.writelines(row + "\n" for row in rows)
    gold = f"{text_dir}/gold.{name}.tsv"
    command = [pgen, "align-eval", "--gold", gold, "--hyp", part, "--json", "--quiet"]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(answer)["all"]["aer"]


def main():
    pgen, text_dir, out, *methods = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    sets = {name: (text, start, length) for name, text, start, length in spans(text_dir)}
    for method in methods or METHODS:
        kind, identity = method.removesuffix("-id"), method.endswith("-id")
        heuristics = ["best"] if kind == "best" else ["intersection"] if identity else HEURISTICS
        texts = ["mwa", "short"] if identity else ["mwa", "short", "hansards"]
        for text in texts:
            plain = [] if identity or kind == "best" else ["--no-identity-lexicon"]
            pairs = ["--pairs", f"{text_dir}/{text}.tsv", "--threads", "1", "--quiet"]
            for heuristic in heuristics:
                train = [pgen, "align", *pairs, "--method", kind, *plain, "--symmetrize", heuristic]
                run(train, f"{out}/{method}.{text}.{heuristic}")
        for heuristic in heuristics:
            cells = []
            for name in SETS:
                text, start, length = sets[name]
                links = f"{out}/{method}.{text}.{heuristic}"
                rate = error_rate(pgen, text_dir, out, name, links, start, length) if text in texts else None
                cells.append("" if rate is None else f"{rate:.4f}".removeprefix("0"))
            print(f"| {method} | {heuristic} | " + " | ".join(cells) + " |", flush=True)


main()
