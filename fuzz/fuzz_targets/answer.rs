#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pgen_fuzz::targets::answer(data));
