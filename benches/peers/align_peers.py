"""Word aligners that install by pip, on the same sentence pairs as `pgen align`.

    pip install systran-align eflomal
    python3 benches/peers/align_peers.py PAIRS.tsv OUT_PREFIX

PAIRS.tsv holds two tokenised sentences in its last two columns. For each peer that can be imported it
writes OUT_PREFIX.NAME.HEURISTIC with a line of links a pair (`pgen align-eval --hyp` reads them) and
prints CPU seconds. Development only: the peers are C++ and partly GPL; nothing of theirs enters pgen.
"""

import importlib
import os
import sys
import tempfile
import time


def read(path):
    pairs = []
    for line in open(path, encoding="utf-8"):
        source, target = line.rstrip("\n").split("\t")[-2:]
        pairs.append((source.split(), target.split()))
    return pairs


def cpu():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def write(prefix, name, rows):
    with open(f"{prefix}.{name}", "w") as out:
        for row in rows:
            out.write(" ".join(f"{i}-{j}" for i, j in sorted(row)) + "\n")


def fast_align(pairs, prefix):
    module = importlib.import_module("systran_align")
    with tempfile.TemporaryDirectory() as folder:
        text, forward, backward = (os.path.join(folder, n) for n in ("text", "forward", "backward"))
        with open(text, "w", encoding="utf-8") as out:
            out.writelines(f"{' '.join(s)} ||| {' '.join(t)}\n" for s, t in pairs)
        start = cpu()
        module.generate_alignment_probabilities(
            text, forward, backward, favor_diagonal=True, optimize_tension=True, variational_bayes=True
        )
        trained = cpu() - start
        aligner = module.Aligner(forward, backward)
        rows = aligner.align_batch([s for s, _ in pairs], [t for _, t in pairs])
        spent = cpu() - start
    write(prefix, "fast_align", [row["alignments"] for row in rows])
    print(f"fast_align: {trained:.1f} s to train, {spent:.1f} s in all, {len(pairs) / spent:.0f} pairs/s")


def eflomal(pairs, prefix):
    module = importlib.import_module("eflomal")
    with tempfile.TemporaryDirectory() as folder:
        forward, backward = os.path.join(folder, "forward"), os.path.join(folder, "backward")
        start = cpu()
        module.Aligner().align(
            (" ".join(s) + "\n" for s, _ in pairs),
            (" ".join(t) + "\n" for _, t in pairs),
            links_filename_fwd=forward,
            links_filename_rev=backward,
            quiet=True,
        )
        spent = cpu() - start

        def links(path):
            return [{tuple(map(int, l.split("-"))) for l in line.split()} for line in open(path)]

        rows = [a & b for a, b in zip(links(forward), links(backward))]
    write(prefix, "eflomal.intersection", rows)
    print(f"eflomal: {spent:.1f} s in all, {len(pairs) / spent:.0f} pairs/s")


def main():
    pairs, prefix = read(sys.argv[1]), sys.argv[2]
    for name, run in (("systran_align", fast_align), ("eflomal", eflomal)):
        began = time.time()
        try:
            run(pairs, prefix)
        except ImportError:
            print(f"skipped: {name} is not installed")
        print(f"  ({time.time() - began:.1f} s by the clock)")


if __name__ == "__main__":
    main()
