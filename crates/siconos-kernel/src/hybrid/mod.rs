//! Hybrid systems: ordinary and differential-algebraic equations with events.
//!
//! Stub of the page.

mod action;
mod answer;
mod condition;
mod consistency;
mod desk;
mod error;
mod event;
mod instant;
mod interactive;
mod iteration;
mod motion;
mod names;
mod point;
mod probe;
mod record;
mod required;
mod run;
mod settings;
mod solution;
mod system;
mod timing;
mod trajectory;
mod trigger;
mod variable;
mod view;

pub use action::{Action, Flow, Statement, Value};
pub use answer::{Answer, Direction};
pub use condition::{Condition, Test};
pub use error::HybridError;
pub use event::{EventNumber, EventOptions};
pub use point::Point;
pub use settings::{EventIterate, EventPre, HybridSettings};
pub use solution::HybridSolution;
pub use system::HybridSystem;
pub use trajectory::{EventMark, Trajectory};
pub use trigger::{Guard, Root, RootFunction, RootSide, Trigger};
pub use variable::{DiscreteId, Variable, VariableType};
pub use view::View;
