use ndarray::*;
use siconos_numerics::lcp::*;
struct Rng(u64);
impl Rng { fn next(&mut self)->u64{ self.0^=self.0<<13; self.0^=self.0>>7; self.0^=self.0<<17; self.0 } fn unit(&mut self)->f64{ (self.next()>>11) as f64 / (1u64<<53) as f64*2.0-1.0 } }
#[test]
fn explore() {
    for range in [1.5f64,2.0,2.5,3.0] { for pt in [1e-16,1e-14,1e-12,1e-10] {
        let mut r = Rng(88172645463325252);
        let mut count = std::collections::BTreeMap::new();
        for t in 0..50000 {
            let n = 2 + t%11;
            let h = Array2::from_shape_fn((n,n), |_| r.unit());
            let mut m = h.dot(&h.t()); for i in 0..n { m[[i,i]] += 0.6+0.4*r.unit(); }
            let d = (0..n).map(|_| 10f64.powf(range*r.unit())).collect::<Vec<_>>();
            let m = Array2::from_shape_fn((n,n), |(i,j)| m[[i,j]]*d[i]*d[j]);
            let q = (0..n).map(|i| r.unit()*d[i]).collect::<Vec<_>>();
            let mut s = Lemke::new(LemkeSettings { start: LemkeStart::Cold, pivot_tolerance: pt, ..Default::default() }).unwrap();
            let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
            let info = s.solve(&LcpProblem::new(&m, &q).unwrap(), &mut z, &mut w).unwrap();
            *count.entry(format!("{:?}",info.status)).or_insert(0)+=1;
            if !info.status.is_success() && range==2.0 && pt==1e-10 && n < 6 { println!("CASE {m:?} {q:?} {info:?} {z:?}"); }
        }
        println!("range {range} pt {pt:e}: {count:?}");
    }}
}
