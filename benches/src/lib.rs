//! Shared helpers of the benchmarks: where the data lies and how to read it.
