//! The criterion benches of the workspace; see the `benches` folder of this package.
