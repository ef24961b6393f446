"""pgen over a partitioned data set with PySpark, in local mode: batch paraphrasing and building a pivot table.

    pip install pyspark
    python examples/spark/paraphrase_and_pivot.py --pgen target/release/pgen \
        --sentences sentences.txt --table phrase-table.gz --partitions 4

Each partition runs one `pgen` process of its own, lines in, lines out. Both results are compared with
one process over the whole input; the script ends with 1 if a byte differs.
"""
import argparse
import gzip
import subprocess
import sys
import tempfile

from pyspark.sql import SparkSession


def run(command, lines):
    """Lines through a process: what goes in is text, what comes out is a list of lines."""
    text = "".join(line + "\n" for line in lines)
    done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().split("\n")[:-1]


def pivot(pgen, rows):
    """Paraphrases of the source phrases of a phrase table, given as lines."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as table:
        table.writelines(row + "\n" for row in rows)
        table.flush()
        return run([pgen, "pivot", "--quiet", "--threads", "1", "--table", table.name], [])


def paraphrase_all(spark, pgen, sentences, partitions):
    """One answer a sentence, in order."""
    command = [pgen, "paraphrase", "--json", "-n", "5", "--threads", "1"]
    work = lambda part: run(command, list(part))
    return spark.sparkContext.parallelize(sentences, partitions).mapPartitions(work).collect()


def pivot_all(spark, pgen, rows, partitions):
    """Source phrases are dealt out to shards. A shard needs every row of each pivot that its phrases
    have, since how many phrases a pivot has decides whether it is used."""
    shard = lambda phrase: sum(phrase.encode()) % partitions
    fields = lambda row: [field.strip() for field in row.split("|||")]
    table = spark.sparkContext.parallelize(rows, partitions).map(lambda row: (fields(row)[1], row))
    wanted = table.map(lambda pair: (pair[0], shard(fields(pair[1])[0]))).distinct()
    shards = wanted.join(table).values().groupByKey(partitions)

    def work(entry):
        number, rows = entry
        own = lambda line: shard(fields(line)[0]) == number
        return [line for line in pivot(pgen, sorted(rows)) if own(line)]

    return shards.flatMap(work).collect()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("--pgen", "--sentences", "--table"):
        parser.add_argument(name, required=True)
    parser.add_argument("--partitions", type=int, default=4)
    args = parser.parse_args()
    read = gzip.open if args.table.endswith(".gz") else open
    with open(args.sentences) as sentences, read(args.table, "rt") as table:
        sentences, rows = sentences.read().splitlines(), table.read().splitlines()
    spark = SparkSession.builder.master("local[2]").appName("pgen").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    answers = paraphrase_all(spark, args.pgen, sentences, args.partitions)
    pivots = pivot_all(spark, args.pgen, rows, args.partitions)
    spark.stop()
    same = answers == run([args.pgen, "paraphrase", "--json", "-n", "5"], sentences)
    same_table = sorted(pivots) == sorted(pivot(args.pgen, rows))
    print(f"{len(answers)} answers, {'equal' if same else 'DIFFERENT'}")
    print(f"{len(pivots)} pivot rows, {'equal' if same_table else 'DIFFERENT'}")
    sys.exit(0 if same and same_table else 1)


if __name__ == "__main__":
    main()
