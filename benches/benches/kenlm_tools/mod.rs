//! KenLM's command-line tools, called in this process.
//!
//! `kenlm::commands` of kenlm-rs 0.1.0 declares them with C names, but they are compiled with C++ names, so
//! nothing that calls them links. Here they are declared by the names that they have.

// Links the library even where nothing else of it is used.
use kenlm as _;
use std::ffi::{CString, OsString, c_char, c_int};
use std::os::unix::ffi::OsStringExt;

unsafe extern "C" {
    #[link_name = "_Z25kenlmrs_build_binary_mainiPPc"]
    fn build_binary_main(argc: c_int, argv: *mut *mut c_char) -> c_int;
    #[cfg(feature = "estimation")]
    #[link_name = "_Z18kenlmrs_lmplz_mainiPPc"]
    fn lmplz_main(argc: c_int, argv: *mut *mut c_char) -> c_int;
    /// The next argument that getopt looks at, in the C library.
    static mut optind: c_int;
}

/// `build_binary` with these arguments.
#[allow(dead_code)]
pub fn build_binary(arguments: impl IntoIterator<Item = OsString>) -> i32 {
    run("build_binary", arguments, build_binary_main)
}

/// `lmplz` with these arguments.
#[allow(dead_code)]
#[cfg(feature = "estimation")]
pub fn lmplz(arguments: impl IntoIterator<Item = OsString>) -> i32 {
    run("lmplz", arguments, lmplz_main)
}

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char) -> c_int;

fn run(name: &str, arguments: impl IntoIterator<Item = OsString>, main: Main) -> i32 {
    let strings: Vec<CString> = std::iter::once(OsString::from(name))
        .chain(arguments)
        .map(|argument| CString::new(argument.into_vec()).unwrap())
        .collect();
    let mut pointers: Vec<*mut c_char> = strings.iter().map(|s| s.as_ptr().cast_mut()).collect();
    let count = pointers.len() as c_int;
    pointers.push(std::ptr::null_mut());
    // SAFETY: argv as C has it, alive during the call, each string ended by a zero and the list by null; one
    // thread calls. getopt keeps a pointer into the arguments of the call before, long freed, until 0 tells
    // it to begin anew.
    unsafe {
        optind = 0;
        main(count, pointers.as_mut_ptr())
    }
}
