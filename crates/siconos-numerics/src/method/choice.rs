//! Choice of a method at run time, and the macro that lists the methods of a class.

use super::{BoxedSolver, Class, MethodDescription};
use crate::error::SettingsError;

/// Method and its settings, for input files and command lines. Each problem class has one enum, with one
/// variant per solver.
///
/// ```
/// use siconos_numerics::lcp::LcpMethod;
/// use siconos_numerics::method::Method;
///
/// let mut method = LcpMethod::from_name("lemke").expect("a method of the table");
/// method.set_max_iterations(500);
/// let solver = method.build()?;
/// assert_eq!((solver.name(), solver.limits().max_iterations), ("lemke", 500));
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
pub trait Method: Clone + Default + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// Class of the problems that the method solves.
    type Class: Class;

    /// Returns all methods of the class with their default settings, in the order of the table of the class.
    /// [`Default`] returns the method that is used if no method is named.
    #[must_use]
    fn all() -> Vec<Self>;

    /// Returns the description of the method for tables of methods.
    #[must_use]
    fn description(&self) -> &'static MethodDescription;

    /// Sets the tolerance, which is the maximum error of an accepted solution.
    fn set_tolerance(&mut self, tolerance: f64);

    /// Sets the maximum number of iterations. The meaning of an iteration depends on the method.
    fn set_max_iterations(&mut self, max_iterations: usize);

    /// Creates the solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range ([`SettingsError`]).
    fn build(&self) -> Result<BoxedSolver<Self::Class>, SettingsError>;

    /// Returns the type name of the solver, for links to its documentation.
    #[must_use]
    fn solver_type(&self) -> &'static str;

    /// Returns the name of the method, which is also the name of its solver.
    #[must_use]
    fn name(&self) -> &'static str {
        self.description().name
    }

    /// Returns the method [with this name](MethodDescription::has_name) and its default settings.
    #[must_use]
    fn from_name(name: &str) -> Option<Self> {
        let all = Self::all();
        let own = all.iter().position(|method| method.name() == name);
        let place = own.or_else(|| all.iter().position(|method| method.description().has_name(name)))?;
        all.into_iter().nth(place)
    }
}

/// Declares the enum of the methods of a class and implements [`Method`] from one list. A line of the list is
///
/// `Variant(Settings) at limits in [defaults]; |settings| &DESCRIPTION => Solver::constructor,`
///
/// `at` names the field of the settings that holds `tolerance` and `max_iterations`. It is omitted if the
/// settings hold them directly. `in` lists the default settings if the variant has several entries in
/// [`Method::all`]. This is a macro because a function cannot declare an enum.
macro_rules! methods {
    (
        $(#[$attribute:meta])*
        pub enum $enum:ident for $class:ty {
            $(
                $(#[$doc:meta])*
                $variant:ident($settings:ty) $(at $at:ident)? $(in $defaults:expr)? ; $describe:expr => $new:expr,
            )+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[non_exhaustive]
        pub enum $enum {
            $($(#[$doc])* $variant($settings),)+
        }

        impl Default for $enum {
            /// Returns the method at the top of the list.
            fn default() -> Self {
                let firsts: &[fn() -> Self] =
                    &[$(|| Self::$variant($crate::method::methods!(@first $settings $(, $defaults)?))),+];
                firsts[0]()
            }
        }

        impl $crate::method::Method for $enum {
            type Class = $class;

            fn all() -> Vec<Self> {
                let mut all = Vec::new();
                $(all.extend($crate::method::methods!(@defaults $settings $(, $defaults)?).map(Self::$variant));)+
                all
            }

            fn description(&self) -> &'static $crate::method::MethodDescription {
                match self {
                    $(Self::$variant(settings) => {
                        let describe: fn(&$settings) -> &'static $crate::method::MethodDescription = $describe;
                        describe(settings)
                    })+
                }
            }

            fn solver_type(&self) -> &'static str {
                let constructor = match self {
                    $(Self::$variant(_) => stringify!($new),)+
                };
                constructor.split_once("::").map_or(constructor, |(solver, _)| solver.trim_end())
            }

            fn set_tolerance(&mut self, tolerance: f64) {
                match self {
                    $(Self::$variant(settings) => settings.$($at.)?tolerance = tolerance,)+
                }
            }

            fn set_max_iterations(&mut self, max_iterations: usize) {
                match self {
                    $(Self::$variant(settings) => settings.$($at.)?max_iterations = max_iterations,)+
                }
            }

            fn build(
                &self,
            ) -> Result<$crate::method::BoxedSolver<$class>, $crate::error::SettingsError> {
                Ok(match self {
                    $(Self::$variant(settings) => Box::new($new(settings.clone())?),)+
                })
            }
        }
    };
    (@first $settings:ty) => { <$settings>::default() };
    (@first $settings:ty, $defaults:expr) => {{
        let [first, ..] = $defaults;
        first
    }};
    (@defaults $settings:ty) => { [<$settings>::default()].into_iter() };
    (@defaults $settings:ty, $defaults:expr) => { $defaults.into_iter() };
}

pub(crate) use methods;
