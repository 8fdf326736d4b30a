//! What a table says of each method.

use super::{ContactFunction, ContactMethod};
use crate::method::MethodDescription;

impl ContactMethod {
    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        match self {
            Self::Auto(_) => MethodDescription {
                name: "auto",
                siconos: "",
                guarantee: "that of its methods together; none in general",
                storage: "any",
                reference: "see the page",
            },
            Self::Newton(settings) => describe_newton(settings.function),
            Self::InteriorPoint(_) => MethodDescription {
                name: "interior-point",
                siconos: "IPM, IPM_SNM (524, 525)",
                guarantee: "none in general; positive semidefinite W without the shift",
                storage: "any; coefficients above 0",
                reference: "Acary, Armand, Nguyen, Shpakovych (2024)",
            },
            Self::NonsmoothGaussSeidel(_) => MethodDescription {
                name: "nonsmooth-gauss-seidel",
                siconos: "NSGS (400, 500, 1100, 3000)",
                guarantee: "none in general; symmetric positive definite W without friction",
                storage: "any",
                reference: "Jourdan, Alart, Jean (1998)",
            },
            Self::FixedPointProjection(_) => MethodDescription {
                name: "fixed-point-projection",
                siconos: "FPP (506, 511, 1106)",
                guarantee: "none in general; symmetric positive semidefinite W without friction",
                storage: "any",
                reference: "Khobotov (1987); Han, Sun (2004)",
            },
            Self::Extragradient(_) => MethodDescription {
                name: "extragradient",
                siconos: "EG (507, 512, 1107)",
                guarantee: "none in general; positive semidefinite W without friction",
                storage: "any",
                reference: "Korpelevich (1976); Khobotov (1987)",
            },
            Self::DeSaxce(_) => MethodDescription {
                name: "de-saxce",
                siconos: "DSFP (505)",
                guarantee: "none in general; symmetric positive semidefinite W without friction",
                storage: "any",
                reference: "De Saxce, Feng (1998)",
            },
            Self::Tresca(_) => MethodDescription {
                name: "tresca",
                siconos: "TFP (503)",
                guarantee: "none in general; small mu with symmetric positive definite W",
                storage: "any",
                reference: "Haslinger, Hlavacek, Necas (1996)",
            },
            Self::ConvexFixedPoint(_) => MethodDescription {
                name: "convex-fixed-point",
                siconos: "ACLMFP (516)",
                guarantee: "none in general; positive semidefinite W without friction",
                storage: "any, W nearly symmetric",
                reference: "Acary, Cadoux, Lemarechal, Malick (2011)",
            },
            Self::Panagiotopoulos(_) => MethodDescription {
                name: "panagiotopoulos",
                siconos: "PFP (522)",
                guarantee: "none in general; W without coupling of normal and tangential",
                storage: "any",
                reference: "Panagiotopoulos (1975)",
            },
            Self::Admm(_) => MethodDescription {
                name: "admm",
                siconos: "ADMM (523, 3010)",
                guarantee: "none in general; positive semidefinite W without friction",
                storage: "any",
                reference: "Boyd et al. (2011); Goldstein et al. (2014)",
            },
            Self::ProximalPoint(_) => MethodDescription {
                name: "proximal-point",
                siconos: "PROX (502)",
                guarantee: "none in general; positive semidefinite W without friction",
                storage: "any",
                reference: "Rockafellar (1976)",
            },
            Self::ColouredGaussSeidel(_) => MethodDescription {
                name: "coloured-gauss-seidel",
                siconos: "NSGS over a coloured graph (530), OpenMP (571)",
                guarantee: "that of nonsmooth-gauss-seidel; the same bits on any number of threads",
                storage: "any",
                reference: "Saad (2003), section 12.4",
            },
            Self::ConjugateProjectedGradient(_) => MethodDescription {
                name: "conjugate-projected-gradient",
                siconos: "CPG (402)",
                guarantee: "none with friction",
                storage: "any; Coulomb",
                reference: "Renouf and Alart (2005)",
            },
            Self::PlaneLemke(_) => MethodDescription {
                name: "plane-lemke",
                siconos: "LEMKE (404)",
                guarantee: "semidefinite W with friction that is small enough",
                storage: "any; Coulomb in the plane",
                reference: "Acary and Brogliato (2008), section 13.3.7",
            },
            Self::PlaneEnumeration(_) => MethodDescription {
                name: "plane-enumeration",
                siconos: "ENUM (405)",
                guarantee: "any W, a few contacts",
                storage: "any; Coulomb in the plane",
                reference: "Acary and Brogliato (2008), section 13.3.7",
            },
        }
    }
}

fn describe_newton(function: ContactFunction) -> MethodDescription {
    let (name, siconos, reference) = match function {
        ContactFunction::NaturalMap => ("newton", "NSN_NM (520)", "De Saxce, Feng (1998); Qi, Sun (1993)"),
        ContactFunction::AlartCurnier => {
            ("newton-alart-curnier", "NSN_AC (504, 521)", "Alart, Curnier (1991)")
        }
        ContactFunction::JeanMoreau => ("newton-jean-moreau", "NSN_AC (504, 521)", "Jean (1999)"),
        ContactFunction::FischerBurmeister => {
            ("newton-fischer-burmeister", "NSN_FB (513)", "Fukushima, Luo, Tseng (2002)")
        }
    };
    MethodDescription { name, siconos, guarantee: "local", storage: "any", reference }
}
