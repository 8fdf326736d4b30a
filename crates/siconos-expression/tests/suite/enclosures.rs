//! Bounds compared with values and derivatives at points, and degrees compared with finite differences.

use proptest::prelude::*;
use siconos_expression::{
    Enclosure, Expression, Interval, Jacobian, Symbol, ValueAndSlopeBounds, parse_number,
};

use crate::drawn::{choices, config};
use crate::model::{Banks, scope, symbol};

/// Motion of y and z along straight lines from their current values. All other symbols are constant.
#[derive(Clone, Copy, Debug)]
struct Line {
    from: [f64; 2],
    speed: [f64; 2],
}

impl Line {
    fn symbols() -> [Symbol; 2] {
        ["y", "z"].map(symbol)
    }

    fn banks_at(self, time: f64) -> Banks {
        let mut slots = Banks::new();
        for (name, (from, speed)) in ["y", "z"].into_iter().zip(self.from.into_iter().zip(self.speed)) {
            slots.set(name, from + time * speed);
        }
        slots
    }

    /// Returns the bounds of a symbol over a time interval that starts at 0.
    fn course(self, symbol: Symbol, time: f64) -> ValueAndSlopeBounds {
        let start = self.banks_at(0.0).0[symbol.slot as usize][symbol.index as usize];
        let end = self.banks_at(time).0[symbol.slot as usize][symbol.index as usize];
        let place = Self::symbols().into_iter().position(|it| it == symbol);
        let slope = place.map_or(0.0, |place| self.speed[place]);
        ValueAndSlopeBounds {
            range: Interval { lower: start.min(end), upper: start.max(end) },
            middle: Interval::point(self.banks_at(0.5 * time).0[symbol.slot as usize][symbol.index as usize]),
            slope: Interval::point(slope),
            is_continuous: true,
        }
    }

    /// Returns the value and the derivative of an expression at a time.
    fn value_and_rate(self, expression: &Expression, time: f64) -> (f64, f64) {
        let slots = self.banks_at(time);
        let mut gradient = [0.0; 2];
        Jacobian::compile(&[expression], &Self::symbols()).evaluate(&slots.slices(), &mut gradient);
        (expression.evaluate(&slots.slices()), gradient[0] * self.speed[0] + gradient[1] * self.speed[1])
    }
}

fn is_in(interval: Interval, value: f64, slack: f64) -> bool {
    interval.lower - slack <= value && value <= interval.upper + slack
}

proptest! {
    #![proptest_config(config(500))]

    /// The bounds of an expression contain all values and derivatives at points of the line. If the
    /// expression is reported as continuous, its values change by no more than its slope permits.
    #[test]
    fn courses_hold_all_values_and_slopes(
        mut choices in choices(),
        from in prop::array::uniform2(-3.0..3.0_f64),
        speed in prop::array::uniform2(-2.0..2.0_f64),
        size in -6.0..0.5_f64,
    ) {
        let text = choices.number(4, false);
        let expression = parse_number(&text, &scope()).expect(&text);
        let line = Line { from, speed };
        let time = 10.0_f64.powf(size);
        let course = Enclosure::compile(&expression).course(0.5 * time, |symbol| line.course(symbol, time));
        let points: Vec<_> = (0..=16).map(|k| time * f64::from(k) / 16.0).collect();
        let found: Vec<_> = points.iter().map(|time| line.value_and_rate(&expression, *time)).collect();
        for (value, rate) in &found {
            if value.is_finite() {
                prop_assert!(is_in(course.range, *value, 1e-9 * value.abs()), "{text}: {value} in {course:?}");
            }
            if value.is_finite() && rate.is_finite() {
                // A tiny derivative is rounded to 0 if a power in it overflows.
                let slack = 1e-9 * rate.abs() + 1e-250;
                prop_assert!(is_in(course.slope, *rate, slack), "{text}: rate {rate} in {course:?}");
            }
            if course.range != Interval::ALL {
                prop_assert!(!value.is_nan(), "{text}: NaN in {course:?}");
            }
        }
        let steepest = course.slope.lower.abs().max(course.slope.upper.abs());
        if course.is_continuous && steepest.is_finite() && found.iter().all(|(value, _)| value.is_finite()) {
            for pair in found.windows(2) {
                let (a, b) = (pair[0].0, pair[1].0);
                // Terms of magnitude 1e5 may cancel before the last operation.
                let most = steepest * time / 16.0 * (1.0 + 1e-9) + 1e-9 * (1.0 + a.abs() + b.abs());
                prop_assert!((b - a).abs() <= most, "{text}: from {a} to {b}, {course:?}");
            }
        }
    }

    /// As the time interval shrinks, the bounds of a smooth expression converge to its value and derivative.
    #[test]
    fn courses_become_exact(y in 0.3..0.9_f64, z in -0.9..0.9_f64) {
        let texts = [
            "sin(3 * y) - z", "y * z^3 - y^-2", "exp(-y * z) * cos(y)", "sqrt(y^2 + z^2) - 1", "atan2(z, y)",
            "hypot(y, z) / y", "tanh(5 * z) + asin(y / 2)", "ln(y) * cbrt(2 + z)", "max(y + 2, z)", "y^1.5",
        ];
        let line = Line { from: [y, z], speed: [1.0, -0.5] };
        for text in texts {
            let expression = parse_number(text, &scope()).expect(text);
            let (value, rate) = line.value_and_rate(&expression, 0.0);
            let enclosure = Enclosure::compile(&expression);
            for time in [1e-3, 1e-5, 1e-7] {
                let ValueAndSlopeBounds { range, slope, is_continuous, .. } = enclosure.course(0.5 * time, |symbol| line.course(symbol, time));
                prop_assert!(is_continuous, "{text}");
                for (interval, exact) in [(range, value), (slope, rate)] {
                    let width = interval.upper - interval.lower;
                    prop_assert!(width <= 1e4 * time && is_in(interval, exact, 1e-9), "{text}: {interval:?}");
                }
            }
        }
    }
}

/// For a polynomial of degree n, the finite difference of order n + 1 is zero, and the finite difference of
/// order n is not.
#[test]
fn degrees_are_those_of_differences() {
    let varies = |symbol: Symbol| Line::symbols().contains(&symbol);
    let degree = |text: &str| parse_number(text, &scope()).expect(text).degree(varies);
    for (text, expected) in [
        ("3 - k", 0),
        ("y", 1),
        ("-y / k + sin(mu) * z", 1),
        ("y * z - 1", 2),
        ("(y + z)^3 * y", 4),
        ("if on then y^2 else 1", 2),
        ("y^0 + y^1", 1),
        ("(y * y)^2 / (k + 1)", 4),
    ] {
        assert_eq!(degree(text), Some(expected), "{text}");
        let expression = parse_number(text, &scope()).expect(text);
        let line = Line { from: [0.3, -0.2], speed: [1.0, 2.0] };
        let mut values: Vec<f64> =
            (0..=expected + 1).map(|k| line.value_and_rate(&expression, k as f64).0).collect();
        let mut largest = 0.0;
        while values.len() > 1 {
            largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            values = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
        }
        assert!(values[0].abs() < 1e-9 && (largest > 1e-6 || expected == 0), "{text}");
    }
    for text in ["sign(y)", "abs(y)", "y^-1", "y^k", "1 / y", "mod(y, 1)", "if y > 0 then y else 1", "y^0.5"]
    {
        assert_eq!(degree(text), None, "{text}");
    }
}
