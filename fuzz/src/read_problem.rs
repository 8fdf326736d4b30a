//! Arbitrary bytes as problem files of every format: no panic occurs, and the result can be written and is
//! then read as an equal problem.

use siconos_io::problem::{Problem, ProblemClass, ProblemFileErrorKind};

/// Passes the bytes to every reader.
///
/// # Panics
///
/// If a reader or a writer panics, or if a problem changes in the round trip.
pub fn check(bytes: &[u8]) {
    for class in ProblemClass::ALL {
        if let Ok(problem) = Problem::from_dat(bytes, Some(class)) {
            assert_eq!(problem.class(), class);
            round_trip(&problem);
        }
    }
    if let Ok(detected) = Problem::from_dat(bytes, None) {
        let told = Problem::from_dat(bytes, Some(detected.class())).expect("it is of that class");
        assert_eq!(told, detected);
    }
    if let Ok(problem) = Problem::from_json(bytes) {
        round_trip(&problem);
    }
}

fn round_trip(problem: &Problem) {
    let mut json = Vec::new();
    problem.to_json(&mut json).expect("there is memory");
    assert_eq!(&Problem::from_json(json.as_slice()).expect("it was written so"), problem);

    let mut dat = Vec::new();
    match problem.to_dat(&mut dat) {
        Ok(()) => {
            let read = Problem::from_dat(dat.as_slice(), Some(problem.class())).expect("it was written so");
            assert_eq!(&read, problem);
        }
        Err(error) => {
            assert!(matches!(error.kind, ProblemFileErrorKind::UnsupportedStorage { .. }), "{error}");
        }
    }
}
