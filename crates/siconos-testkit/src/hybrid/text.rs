//! Model files of random hybrid systems.

use std::fmt::Write;

use super::system::{Argument, Direction, HybridProblem, Reset, Shape};

impl Argument {
    fn text(&self) -> String {
        let mut text = String::new();
        for (i, weight) in self.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            let _ = write!(text, "({weight:?}) * x{i} + ");
        }
        if self.slope != 0.0 {
            let _ = write!(text, "({:?}) * t + ", self.slope);
        }
        if let Some(wave) = self.wave {
            let _ = write!(text, "({:?}) * sin({:?} * t) + ", wave.amplitude, wave.frequency);
        }
        let _ = write!(text, "({:?})", -self.level);
        text
    }
}

impl HybridProblem {
    /// Returns the model file of the system, in the format of `siconos_io::hybrid`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("format = 1\nkind = \"hybrid\"\n[time]\nend = {:?}\n[variables]\n", self.end);
        for i in 0..self.x0.len() {
            let row: String =
                self.a[i].iter().enumerate().map(|(j, a)| format!("({a:?}) * x{j} + ")).collect();
            let mut rate = format!("factor * ({row}({:?}))", self.b[i]);
            for switch in &self.switches {
                let conditions: Vec<_> =
                    switch.arguments.iter().map(|it| format!("{} > 0", it.text())).collect();
                let _ = write!(rate, " + (if {} then {:?} else 0)", conditions.join(" and "), switch.rate[i]);
            }
            let _ = writeln!(text, "x{i} = {{ initial = {:?}, equation = \"x{i}' = {rate}\" }}", self.x0[i]);
        }
        text.push_str("[discrete]\nfactor = 1.0\n");
        for number in 1..=self.events.len() {
            let _ = writeln!(text, "n{number} = 0.0");
        }
        for (number, event) in (1..).zip(&self.events) {
            let u = event.guard.argument.text();
            let function = match event.guard.shape {
                Shape::Smooth => u,
                Shape::Sign => format!("sign({u})"),
                Shape::Choice => format!("if {u} > 0 then 1 else -2"),
                Shape::Stairs => format!("floor({u}) + 0.5"),
                Shape::Saw => format!("0.3 - mod({u}, 1)"),
            };
            let trigger = match event.direction {
                Direction::Any => function,
                Direction::Increasing => format!("increasing({function})"),
                Direction::Decreasing => format!("decreasing({function})"),
            };
            let mut action = format!("n{number} = n{number} + 1");
            match &event.reset {
                Reset::Nothing => (),
                Reset::Map { matrix, offset } => {
                    for (i, row) in matrix.iter().enumerate() {
                        let terms: String =
                            row.iter().enumerate().map(|(j, m)| format!("({m:?}) * x{j} + ")).collect();
                        let _ = write!(action, "; y{i} = {terms}({:?})", offset[i]);
                    }
                    for i in 0..matrix.len() {
                        let _ = write!(action, "; x{i} = y{i}");
                    }
                }
                Reset::SendBack { state, distance, times, factor, put } => {
                    let _ = write!(
                        action,
                        "; x{state} = if n{number} <= {times} then x{state} + ({distance:?}) * {factor:?}^(n{number} - 1) \
                         else {put:?}"
                    );
                }
                Reset::Turn { factor } => {
                    let _ = write!(action, "; factor = factor * ({factor:?})");
                }
            }
            let _ = write!(text, "[[events]]\ntrigger = \"{trigger}\"\naction = \"{action}\"\n");
        }
        text
    }
}
