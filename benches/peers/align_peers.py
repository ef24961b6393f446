"""Word aligners that install by pip, on the same sentence pairs as `pgen align`.

    pip install systran-align eflomal sil-thot
    python3 benches/peers/align_peers.py PAIRS.tsv OUT_PREFIX [NAME...]

PAIRS.tsv holds two tokenised sentences in its last two columns. NAME is fast_align, eflomal, thot-model1,
thot-hmm, thot-hmm-null2 (null probability 0.2 as ours), thot-model3, thot-model4 or thot-eflomal (its own
sampler); without names all run. Each peer works in a process of its own on one thread, writes
OUT_PREFIX.PEER.intersection and .grow-diag-final-and (fast_align: .grow-diag-final-and only, which is what
its package gives out) with a line of links a pair, which `pgen align-eval --hyp` reads, and reports its CPU
seconds, pairs a second in both directions and the peak of its resident memory. Development only: the peers
are C++ and partly GPL; nothing of theirs enters pgen.
"""

import os
import resource
import sys
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "1"
ITERATIONS = 5
STEPS = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def read(path):
    pairs = []
    for line in open(path, encoding="utf-8", newline="\n"):
        source, target = line.rstrip("\n").split("\t")[-2:]
        pairs.append((source.split(), target.split()))
    return pairs


def write(prefix, name, rows):
    with open(f"{prefix}.{name}", "w") as out:
        for row in rows:
            out.write(" ".join(f"{i}-{j}" for i, j in sorted(row)) + "\n")


def grow_diag_final_and(backward, forward):
    """As `pgen align --symmetrize grow-diag-final-and`: B-only links come before F-only ones at the end."""
    union, links = backward | forward, backward & forward
    rows, columns = {i for i, _ in links}, {j for _, j in links}

    def add(link):
        links.add(link)
        rows.add(link[0])
        columns.add(link[1])

    grown = True
    while grown:
        grown, todo = False, sorted(links)
        at = 0
        while at < len(todo):
            i, j = todo[at]
            for di, dj in STEPS:
                link = i + di, j + dj
                if link in union and link not in links and not (link[0] in rows and link[1] in columns):
                    add(link)
                    grown = True
                    if link > (i, j):
                        todo = todo[: at + 1] + sorted(todo[at + 1 :] + [link])
            at += 1
    for link in sorted(backward - forward) + sorted(forward - backward):
        if link not in links and link[0] not in rows and link[1] not in columns:
            add(link)
    return links


def both(prefix, name, backward, forward):
    write(prefix, f"{name}.intersection", (b & f for b, f in zip(backward, forward)))
    write(prefix, f"{name}.grow-diag-final-and", (grow_diag_final_and(b, f) for b, f in zip(backward, forward)))


def fast_align(pairs, prefix, folder):
    import systran_align as module

    text, forward, backward = (os.path.join(folder, n) for n in ("text", "forward", "backward"))
    with open(text, "w", encoding="utf-8") as out:
        out.writelines(f"{' '.join(s)} ||| {' '.join(t)}\n" for s, t in pairs)
    start = cpu()
    module.generate_alignment_probabilities(
        text, forward, backward, favor_diagonal=True, optimize_tension=True, variational_bayes=True
    )
    aligner = module.Aligner(forward, backward)
    rows = aligner.align_batch([s for s, _ in pairs], [t for _, t in pairs])
    spent = cpu() - start
    write(prefix, "fast_align.grow-diag-final-and", (row["alignments"] for row in rows))
    return spent


def eflomal(pairs, prefix, folder):
    import eflomal as module

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

    # Its forward file: every target word has at most one source.
    both(prefix, "eflomal", links(backward), links(forward))
    return spent


def thot(name):
    def run(pairs, prefix, _folder):
        import thot.alignment as module

        def model(swap):
            """P(second side | first side): at most one first-side word for each second-side word."""

            def fit(each):
                each.start_training()
                for _ in range(ITERATIONS):
                    each.train()
                each.end_training()
                return each

            first = module.EflomalAlignmentModel() if name == "thot-eflomal" else module.Ibm1AlignmentModel()
            for s, t in pairs:
                first.add_sentence_pair(t if swap else s, s if swap else t)
            if name == "thot-eflomal":
                for _ in range(first.start_training() and first.scheduled_iterations):
                    first.train()
                first.end_training()
                return first
            last = fit(first)
            if name != "thot-model1":
                last = module.HmmAlignmentModel(last)
                if name == "thot-hmm-null2":
                    last.hmm_p0 = 0.2
                last = fit(last)
            if name in ("thot-model3", "thot-model4"):
                last = fit(module.Ibm3AlignmentModel(last))
            if name == "thot-model4":
                last = fit(module.Ibm4AlignmentModel(last))
            return first, last

        def links(swap):
            # The first model owns the text that the later ones were made from.
            kept = model(swap)
            last = kept[-1] if isinstance(kept, tuple) else kept
            rows = []
            for s, t in pairs:
                found = last.get_best_alignment(t if swap else s, s if swap else t)[1].to_list()
                rows.append({(j, i - 1) if swap else (i - 1, j) for j, i in enumerate(found) if i > 0})
            return rows

        start = cpu()
        forward, backward = links(False), links(True)
        spent = cpu() - start
        both(prefix, name, backward, forward)
        return spent

    return run


THOT = ["thot-model1", "thot-hmm", "thot-hmm-null2", "thot-model3", "thot-model4", "thot-eflomal"]
PEERS = {"fast_align": fast_align, "eflomal": eflomal} | {name: thot(name) for name in THOT}


def cpu():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def child(name, path, prefix):
    pairs = read(path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        try:
            spent = PEERS[name](pairs, prefix, folder)
        except ImportError as error:
            print(f"skipped: {name} is not installed ({error})")
            return
    here = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    below = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(
        f"{name}\t{spent:.1f} CPU s\t{len(pairs) / spent:.0f} pairs/s\t"
        f"{max(here, below) // 1024} MiB (of which text in Python {before // 1024})",
        flush=True,
    )


def main():
    path, prefix, names = sys.argv[1], sys.argv[2], sys.argv[3:] or list(PEERS)
    for name in names:
        began, process = time.time(), os.fork()
        if process == 0:
            child(name, path, prefix)
            os._exit(0)
        _, status = os.waitpid(process, 0)
        if status:
            print(f"{name}: failed with status {status}")
        print(f"  ({time.time() - began:.1f} s by the clock)", flush=True)


if __name__ == "__main__":
    main()
