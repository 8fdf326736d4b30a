//! Properties of the method lists of all classes: a method and its solver have one name, in the form used on
//! command lines.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use siconos_numerics::avi::AviMethod;
use siconos_numerics::contact::ContactMethod;
use siconos_numerics::gmp::GmpMethod;
use siconos_numerics::lcp::LcpMethod;
use siconos_numerics::mcp::McpMethod;
use siconos_numerics::method::MethodDescription;
use siconos_numerics::mlcp::MlcpMethod;
use siconos_numerics::ncp::NcpMethod;
use siconos_numerics::qp::QpMethod;
use siconos_numerics::relay::RelayMethod;
use siconos_numerics::vi::{BoxViMethod, ViMethod};
use siconos_numerics::{Method, Solver};

/// Checks the table of methods of a class. `SICONOS_BLESS=1` rewrites it.
fn check_page<M: Method>(folder: &str) {
    let mut table =
        String::from("| solver | name | known to solve | storage | reference |\n|---|---|---|---|---|\n");
    for method in M::all() {
        let MethodDescription { name, guarantee, storage, reference, .. } = method.description();
        let solver = method.solver_type();
        writeln!(table, "| [`{solver}`] | `{name}` | {guarantee} | {storage} | {reference} |")
            .expect("a string");
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src").join(folder).join("methods.md");
    if std::env::var_os("SICONOS_BLESS").is_some() {
        fs::write(&file, &table).expect("the sources can be written");
    }
    let page = fs::read_to_string(&file).unwrap_or_default();
    assert!(page == table, "{} is not what the list says; SICONOS_BLESS=1 writes it anew", file.display());
}

fn check<M: Method>(class: &str) {
    let mut names = BTreeSet::new();
    for mut method in M::all() {
        let name = method.name();
        assert!(names.insert(name), "{class} lists {name} twice");
        let is_plain = name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        assert!(is_plain, "{class}: `{name}` has more than lower-case letters and hyphens");
        assert_eq!(method.build().expect("valid settings").name(), name, "{class}");
        assert_eq!(M::from_name(name), Some(method.clone()), "{class}");
        assert!(!method.description().guarantee.to_string().is_empty(), "{class}, {name}");
        method.set_tolerance(3e-7);
        method.set_max_iterations(11);
        let limits = method.build().expect("valid settings").limits();
        let given = (limits.tolerance, limits.max_iterations);
        assert_eq!(given, (3e-7, 11), "{class}, {name}");
        method.set_tolerance(0.0);
        assert!(method.build().is_err(), "{class}, {name}: a tolerance of 0");
    }
    assert_eq!(M::default(), M::all()[0], "{class}");
    assert_eq!(M::from_name("none such"), None, "{class}");
}

#[test]
fn every_class_has_one_list_with_one_name_for_each_method() {
    check::<LcpMethod>("lcp");
    check::<MlcpMethod>("mlcp");
    check::<RelayMethod>("relay");
    check::<AviMethod>("avi");
    check::<ViMethod>("vi");
    check::<BoxViMethod>("box-vi");
    check::<NcpMethod>("ncp");
    check::<McpMethod>("mcp");
    check::<QpMethod>("qp");
    check::<ContactMethod>("contact");
    check::<GmpMethod>("gmp");
}

/// Checks that each name of Siconos in the list of a class, with the prefix of the class, leads to the method
/// that lists it.
fn check_siconos<M: Method>(class: &str) {
    for method in M::all() {
        let words = method.description().siconos.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        for word in words.filter(|word| word.contains('_') || word.chars().all(|c| c.is_ascii_uppercase())) {
            for name in [word.to_owned(), format!("SICONOS_{class}_{word}")] {
                let found = M::from_name(&name).map(|method| method.name());
                assert!(word.is_empty() || found == Some(method.name()), "{name}: {found:?}");
            }
        }
    }
}

#[test]
fn methods_go_by_the_names_of_siconos_and_by_no_part_of_them() {
    check_siconos::<LcpMethod>("LCP");
    check_siconos::<MlcpMethod>("MLCP");
    check_siconos::<RelayMethod>("RELAY");
    check_siconos::<AviMethod>("AVI");
    check_siconos::<ViMethod>("VI");
    check_siconos::<QpMethod>("QP");
    for (name, method) in [
        ("SICONOS_MLCP_FB", Some("newton-fischer-burmeister")),
        ("SICONOS_MLCP_DIRECT_FB", Some("warm-active-set")),
        ("SICONOS_MLCP_DIRECT_ENUM", Some("warm-active-set")),
        ("SICONOS_MLCP_PATH_ENUM", None),
        ("SICONOS_MLCP_RPSOR", None),
    ] {
        assert_eq!(MlcpMethod::from_name(name).map(|method| method.name()), method, "{name}");
    }
    assert_eq!(QpMethod::from_name("SICONOS_CONVEXQP_ADMM").map(|method| method.name()), Some("admm"));
}

#[test]
fn methods_for_contacts_go_by_the_numbers_of_both_forms() {
    for (name, method) in [
        ("SICONOS_FRICTION_3D_NSGS", "nonsmooth-gauss-seidel"),
        ("SICONOS_GLOBAL_FRICTION_3D_NSGS", "nonsmooth-gauss-seidel"),
        ("SICONOS_GLOBAL_FRICTION_3D_NSGSV_WR", "nonsmooth-gauss-seidel"),
        ("SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR", "newton-alart-curnier"),
        ("SICONOS_GLOBAL_FRICTION_3D_IPM_SNM_WR", "interior-point"),
        ("600", "nonsmooth-gauss-seidel"),
        ("602", "proximal-point"),
        ("603", "de-saxce"),
        ("604", "tresca"),
        ("605", "nonsmooth-gauss-seidel"),
        ("607", "velocity-newton"),
        ("610", "fixed-point-projection"),
        ("611", "extragradient"),
        ("612", "velocity-interior-point"),
        ("613", "velocity-admm"),
        ("614", "admm"),
        ("615", "velocity-interior-point"),
        ("617", "velocity-interior-point"),
        ("618", "interior-point"),
    ] {
        assert_eq!(ContactMethod::from_name(name).map(|found| found.name()), Some(method), "{name}");
    }
}

#[test]
fn the_page_of_every_class_shows_its_list() {
    check_page::<LcpMethod>("lcp");
    check_page::<MlcpMethod>("mlcp");
    check_page::<RelayMethod>("relay");
    check_page::<AviMethod>("avi");
    check_page::<ViMethod>("vi");
    check_page::<NcpMethod>("ncp");
    check_page::<McpMethod>("mcp");
    check_page::<QpMethod>("qp");
    check_page::<ContactMethod>("contact");
    check_page::<GmpMethod>("gmp");
}
