//! How a verb ends badly: bad input (exit 1), bad usage (exit 2), or nobody listening any more.

use std::fmt;
use std::io;

/// Why a verb could not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input or a file is at fault.
    Input {
        /// The stable code of the error.
        code: &'static str,
        /// The message for people.
        message: String,
    },
    /// The command line is at fault.
    Usage(String),
    /// The reader of our output has gone; not an error of ours.
    Closed,
}

/// Shorthand for results of verbs.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// An input failure from any error with a code.
    pub(crate) fn input(code: &'static str, message: impl fmt::Display) -> Self {
        Failure::Input {
            code,
            message: message.to_string(),
        }
    }

    /// A usage failure.
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Failure::Usage(message.to_string())
    }

    /// The failure with the place of the input that caused it before its message.
    pub(crate) fn at(self, place: impl fmt::Display) -> Self {
        match self {
            Failure::Input { code, message } => {
                let message = format!("{place}: {message}");
                Failure::Input { code, message }
            }
            other => other,
        }
    }

    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Failure::Input { code, .. } => code,
            Failure::Usage(_) => "usage",
            Failure::Closed => "closed",
        }
    }

    /// The process's exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            // Settings come from the command line.
            Failure::Usage(_)
            | Failure::Input {
                code: "bad-parameter",
                ..
            } => 2,
            Failure::Input { .. } => 1,
            Failure::Closed => 0,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input { message, .. } | Failure::Usage(message) => f.write_str(message),
            Failure::Closed => f.write_str("output closed"),
        }
    }
}

impl From<pgen::core::Error> for Failure {
    fn from(error: pgen::core::Error) -> Self {
        Failure::input(error.code(), error)
    }
}

impl From<pgen::align::Error> for Failure {
    fn from(error: pgen::align::Error) -> Self {
        Failure::input(error.code(), error)
    }
}

impl From<pgen::Error> for Failure {
    fn from(error: pgen::Error) -> Self {
        Failure::input(error.code(), error)
    }
}

/// Writing to standard output failed.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::input("io", format_args!("cannot write the output: {error}")),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        match error.io_error_kind() {
            Some(kind) => io::Error::from(kind).into(),
            None => Failure::input("syntax", error),
        }
    }
}
