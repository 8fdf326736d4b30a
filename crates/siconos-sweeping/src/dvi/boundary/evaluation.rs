//! Evaluation of the functions f, B, G and F of a step, and of their derivatives.

use ndarray::Array2;

use super::super::DviError;
use super::super::initial_value::node;
use super::super::state_map::add_product;
use super::layout::Layout;
use super::system::{StepsSystem, Task};
use super::units::Sizes;
use siconos_kernel::engine::DifferenceScratch;
use siconos_kernel::engine::check_written;

/// Workspace for the values of the functions in one step.
pub(super) struct StepWorkspace {
    pub(super) mixed: Vec<f64>,
    pub(super) rate: Vec<f64>,
    pub(super) w: Vec<f64>,
    pub(super) natural: Vec<f64>,
    pub(super) scratch_w: Vec<f64>,
    pub(super) a: Array2<f64>,
    pub(super) b: Array2<f64>,
    pub(super) by_input: Array2<f64>,
    pub(super) c: Array2<f64>,
    pub(super) d: Array2<f64>,
    pub(super) differences: [DifferenceScratch; 4],
    pub(super) check: Vec<f64>,
}

impl StepWorkspace {
    pub(super) fn new(Layout { n, m, p, .. }: Layout) -> Self {
        let zeros = |rows, columns| Array2::zeros((rows, columns));
        Self {
            mixed: vec![0.0; n],
            rate: vec![0.0; n],
            w: vec![0.0; m],
            natural: vec![0.0; m + p],
            scratch_w: vec![0.0; m],
            a: zeros(n, n),
            b: zeros(n, m),
            by_input: zeros(n, n),
            c: zeros(m, n),
            d: zeros(m, m),
            differences: Default::default(),
            check: Vec::new(),
        }
    }
}

impl StepsSystem<'_> {
    pub(super) fn x(&self, k: usize) -> &[f64] {
        let start = self.task.layout.x(k);
        &self.point[start..start + self.task.layout.n]
    }

    pub(super) fn v(&self, k: usize) -> &[f64] {
        let start = self.task.layout.u(k);
        &self.point[start..start + self.task.layout.m + self.task.layout.p]
    }

    fn t(&self, k: usize) -> f64 {
        node(self.task.t0, self.task.h, k)
    }

    /// Computes the state at which the step that ends at node k evaluates f.
    fn write_mixed(&mut self, k: usize) {
        let mut mixed = std::mem::take(&mut self.memory.mixed);
        for ((mixed, old), new) in mixed.iter_mut().zip(self.x(k - 1)).zip(self.x(k)) {
            *mixed = old + self.task.theta * (new - old);
        }
        self.memory.mixed = mixed;
    }

    /// Evaluates the step that ends at node k: writes f + B u to `rate`, and G + F(u) to `w`.
    pub(super) fn evaluate(&mut self, k: usize) {
        self.write_mixed(k);
        let (t_before, t) = (self.t(k - 1), self.t(k));
        let (dvi, m) = (self.task.dvi, self.task.layout.m);
        let mut memory = std::mem::take(&mut self.memory.rate);
        dvi.f().value_into(t_before, &self.memory.mixed, &mut memory);
        let mut b = std::mem::take(&mut self.memory.b);
        dvi.b().value_into(t_before, self.x(k - 1), &mut b);
        add_product(&b, &self.v(k)[..m], &mut memory);
        self.memory.b = b;
        self.memory.rate = memory;
        let (mut w, mut scratch) =
            (std::mem::take(&mut self.memory.w), std::mem::take(&mut self.memory.scratch_w));
        dvi.g().value_into(t, self.x(k), &mut w);
        dvi.map().add_value(t, &self.v(k)[..m], &mut scratch, &mut w);
        (self.memory.w, self.memory.scratch_w) = (w, scratch);
    }

    /// Computes the derivatives of the step that ends at node k, and updates their largest magnitudes.
    pub(super) fn linearise(&mut self, k: usize) {
        self.write_mixed(k);
        let (t_before, t) = (self.t(k - 1), self.t(k));
        let Self { task, point, memory, sizes, .. } = self;
        let Task { dvi, layout, .. } = *task;
        let x = |k: usize| &point[layout.x(k)..layout.x(k) + layout.n];
        let u = &point[layout.u(k)..layout.u(k) + layout.m];
        let [of_f, of_g, of_map, of_b] = &mut memory.differences;
        dvi.f().jacobian_into(t_before, &memory.mixed, of_f, &mut memory.a);
        dvi.b().value_into(t_before, x(k - 1), &mut memory.b);
        memory.by_input.fill(0.0);
        dvi.b().add_jacobian(t_before, (x(k - 1), u), of_b, &mut memory.by_input);
        dvi.g().jacobian_into(t, x(k), of_g, &mut memory.c);
        dvi.map().jacobian_into(t, u, of_map, &mut memory.d);
        Sizes::widen(&mut sizes.a, &memory.a);
        Sizes::widen(&mut sizes.b, &memory.b);
        Sizes::widen(&mut sizes.c, &memory.c);
        Sizes::widen(&mut sizes.d, &memory.d);
    }

    /// Computes the largest magnitudes of the derivatives at the current point. Returns an error if a user
    /// function is not finite there.
    pub(super) fn take_sizes(&mut self) -> Result<(), DviError> {
        self.sizes.clear();
        for k in 1..=self.task.layout.steps {
            self.evaluate(k);
            check_written("f + B u", self.t(k - 1), &self.memory.rate)?;
            check_written("G + F", self.t(k), &self.memory.w)?;
            self.linearise(k);
            check_written("the derivative of f", self.t(k - 1), &self.memory.a)?;
            check_written("the derivative of B u", self.t(k - 1), &self.memory.by_input)?;
            check_written("the derivative of G", self.t(k), &self.memory.c)?;
            check_written("the derivative of F", self.t(k), &self.memory.d)?;
        }
        Ok(())
    }
}
