//! Radau IIA methods with 1 to 4 stages, with dense output.

/// Radau IIA method with s stages, of order 2 s - 1 (Hairer and Wanner 1996, section IV.5): collocation at
/// the zeros of $\frac{d^{s-1}}{dx^{s-1}} (x^{s-1} (x - 1)^s)$. The last zero is 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RadauTable {
    /// Positions of the stages, as fractions of the element.
    pub(super) nodes: Vec<f64>,
    /// $a_{jk} = \int_0^{c_j} L_k$, s x s; the last row contains the weights of the method.
    pub(super) matrix: Vec<f64>,
    /// Interpolation points of the polynomial of an element: 0 and the nodes.
    points: Vec<f64>,
    /// Barycentric weights of the interpolation points.
    barycentric: Vec<f64>,
}

impl RadauTable {
    /// Creates the method with 1 to 4 stages; `None` for other numbers of stages.
    pub(super) fn new(stages: usize) -> Option<Self> {
        let root = 6.0_f64.sqrt();
        let nodes = match stages {
            1 => vec![1.0],
            2 => vec![1.0 / 3.0, 1.0],
            3 => vec![(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0],
            4 => vec![0.088_587_959_512_703_95, 0.409_466_864_440_734_7, 0.787_659_461_760_847, 1.0],
            _ => return None,
        };
        let matrix = nodes
            .iter()
            .flat_map(|&end| (0..stages).map(move |k| (k, end)))
            .map(|(k, end)| integral(&lagrange(&nodes, k), end))
            .collect();
        let points: Vec<f64> = std::iter::once(0.0).chain(nodes.iter().copied()).collect();
        let barycentric = (0..points.len())
            .map(|k| {
                let others = points.iter().enumerate().filter(|&(j, _)| j != k);
                1.0 / others.map(|(_, point)| points[k] - point).product::<f64>()
            })
            .collect();
        Some(Self { nodes, matrix, points, barycentric })
    }

    pub(super) fn stages(&self) -> usize {
        self.nodes.len()
    }

    /// Evaluates, at fraction `part` of the element, the polynomial of degree s that interpolates the state
    /// at the start and the s stages.
    pub(super) fn interpolate(&self, start: &[f64], stages: &[f64], part: f64, to: &mut [f64]) {
        let n = start.len();
        if n == 0 {
            return;
        }
        let rows = || std::iter::once(start).chain(stages.chunks_exact(n));
        if let Some(row) = self.points.iter().position(|point| *point == part) {
            to.copy_from_slice(rows().nth(row).unwrap_or(start));
            return;
        }
        to.fill(0.0);
        let mut sum = 0.0;
        for ((row, point), weight) in rows().zip(&self.points).zip(&self.barycentric) {
            let factor = weight / (part - point);
            sum += factor;
            to.iter_mut().zip(row).for_each(|(to, value)| *to += factor * value);
        }
        to.iter_mut().for_each(|to| *to /= sum);
    }
}

/// Returns the coefficients, in ascending order, of the polynomial that is 1 at node k and 0 at the other
/// nodes.
fn lagrange(nodes: &[f64], k: usize) -> Vec<f64> {
    let mut coefficients = vec![1.0];
    for (_, node) in nodes.iter().enumerate().filter(|&(j, _)| j != k) {
        let distance = nodes[k] - node;
        let mut next = vec![0.0; coefficients.len() + 1];
        for (power, coefficient) in coefficients.iter().enumerate() {
            next[power + 1] += coefficient / distance;
            next[power] -= node * coefficient / distance;
        }
        coefficients = next;
    }
    coefficients
}

fn integral(coefficients: &[f64], end: f64) -> f64 {
    let terms = coefficients.iter().enumerate().rev();
    terms.fold(0.0, |sum, (power, coefficient)| (sum + coefficient / (power + 1) as f64) * end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(stages: usize) -> RadauTable {
        RadauTable::new(stages).expect("1 to 4 stages")
    }

    /// Tests Butcher's simplifying conditions B(2s - 1), C(s) and D(s - 1), which together imply the order
    /// $2 s - 1$.
    #[test]
    fn the_methods_have_order_2s_minus_1() {
        for s in 1..=4 {
            let RadauTable { nodes: c, matrix: a, .. } = table(s);
            let b = &a[(s - 1) * s..];
            let power = |k: usize, q: usize| c[k].powi(q as i32 - 1);
            for q in 1..2 * s {
                let sum: f64 = (0..s).map(|k| b[k] * power(k, q)).sum();
                assert!((sum - 1.0 / q as f64).abs() < 1e-15, "B({q}) of {s} stages: {sum}");
            }
            for q in 1..=s {
                for j in 0..s {
                    let sum: f64 = (0..s).map(|k| a[j * s + k] * power(k, q)).sum();
                    assert!((sum - c[j].powi(q as i32) / q as f64).abs() < 1e-15, "C({q}) of {s} stages");
                }
            }
            for q in 1..s {
                for k in 0..s {
                    let sum: f64 = (0..s).map(|j| b[j] * power(j, q) * a[j * s + k]).sum();
                    let exact = b[k] * (1.0 - c[k].powi(q as i32)) / q as f64;
                    assert!((sum - exact).abs() < 1e-15, "D({q}) of {s} stages");
                }
            }
        }
    }

    #[test]
    fn the_polynomial_is_exact_for_its_degree() {
        for s in 1..=4 {
            let table = table(s);
            let cube = |x: f64| [x.powi(s as i32), 1.0 - 2.0 * x];
            let stages: Vec<f64> = table.nodes.iter().flat_map(|&c| cube(c)).collect();
            for part in [0.0, 0.2, 1.0 / 3.0, 0.9, 1.0] {
                let mut value = [0.0; 2];
                table.interpolate(&cube(0.0), &stages, part, &mut value);
                let exact = cube(part);
                assert!((value[0] - exact[0]).abs() < 1e-14 && (value[1] - exact[1]).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn other_numbers_of_stages_have_no_table() {
        assert!(RadauTable::new(0).is_none() && RadauTable::new(5).is_none());
    }
}
