use ndarray::*;
use siconos_numerics::lcp::*;
struct Rng(u64);
impl Rng { fn next(&mut self)->u64{ self.0^=self.0<<13; self.0^=self.0>>7; self.0^=self.0<<17; self.0 } fn int(&mut self,k:i64)->f64{ ((self.next()>>20) as i64 % (2*k+1) - k) as f64 } fn unit(&mut self)->f64{ (self.next()>>11) as f64 / (1u64<<53) as f64*2.0-1.0 } }
#[test]
fn explore() {
    for scale in [1e-6, 1.0, 1e6] {
    for range in [0.0, 1.0, 2.0, 3.0, 4.0] {
    for pt in [1e-14,1e-12,1e-11,1e-10,1e-9, 1e-8] {
    let mut r = Rng(88172645463325252);
        let mut count = std::collections::BTreeMap::new();
        let mut worst = 0.0f64; let mut its=0;
        for t in 0..1000 {
            let (n,k) = [(20,6),(60,20),(30,30)][t%3];
            // inverse masses vary per dof
            let d = (0..k).map(|_| 10f64.powf(range*r.unit())).collect::<Vec<_>>();
            let h = Array2::from_shape_fn((n,k), |(_,j)| if r.unit() < -0.3 { 0.0 } else {r.int(1)} * d[j]);
            let v = Array1::from_shape_fn(k, |_| r.int(2));
            let m = h.dot(&h.t())*scale; let q = h.dot(&v).to_vec();
            let mut s = Lemke::new(LemkeSettings { start: LemkeStart::Cold, pivot_tolerance: pt, ..Default::default() }).unwrap();
            let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
            let info = s.solve(&LcpProblem::new(&m, &q).unwrap(), &mut z, &mut w).unwrap();
            *count.entry(format!("{:?}",info.status)).or_insert(0)+=1;
            worst = worst.max(info.error); its=its.max(info.iterations);
        }
        println!("scale {scale:e} range {range} pt {pt:e}: {count:?} worst {worst:e} iterations {its}");
    }
    }}
}
