//! A random number generator that reproduces the stream of numpy.

/// Number of words of the state.
const N: usize = 624;
const M: usize = 397;

/// Mersenne twister with the normal variates of numpy's `RandomState`. Equal seeds result in equal streams.
///
/// The generator is described by Matsumoto and Nishimura (1998), ACM Transactions on Modeling and Computer
/// Simulation, volume 8. The normal variates use Marsaglia's polar method. Another program can draw the same
/// problems, so that the running times of two programs can be compared.
///
/// ```
/// use siconos_testkit::random::RandomState;
///
/// assert_eq!(RandomState::new(0).standard_normal(), 1.764052345967664);
/// ```
#[derive(Clone, Debug)]
pub struct RandomState {
    words: Vec<u32>,
    next: usize,
    /// Second normal variate of a pair, not returned yet.
    spare: Option<f64>,
}

impl RandomState {
    /// Creates the stream with the given seed.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        let mut words = Vec::with_capacity(N);
        let mut word = seed;
        for i in 0..N as u32 {
            words.push(word);
            word = 1_812_433_253_u32.wrapping_mul(word ^ (word >> 30)).wrapping_add(i + 1);
        }
        Self { words, next: N, spare: None }
    }

    /// Returns the next word of 32 random bits.
    pub fn word(&mut self) -> u32 {
        if self.next == N {
            self.twist();
        }
        let mut y = self.words[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    fn twist(&mut self) {
        for i in 0..N {
            let y = (self.words[i] & 0x8000_0000) | (self.words[(i + 1) % N] & 0x7fff_ffff);
            let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            self.words[i] = self.words[(i + M) % N] ^ (y >> 1) ^ odd;
        }
        self.next = 0;
    }

    /// Returns a uniform number in [0, 1) with 53 random bits.
    pub fn uniform(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// Returns a uniform number in [`low`, `high`).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// Returns a vector with uniform components in [-`size`, `size`).
    pub fn vector<const N: usize>(&mut self, size: f64) -> [f64; N] {
        [(); N].map(|()| self.between(-size, size))
    }

    /// Returns a uniform integer in [`low`, `high`].
    pub fn integer(&mut self, low: i32, high: i32) -> i32 {
        let count = f64::from(high) - f64::from(low) + 1.0;
        low + (self.uniform() * count) as i32
    }

    /// Returns a normal number with mean 0 and variance 1.
    pub fn standard_normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                self.spare = Some(factor * x);
                return factor * y;
            }
        }
    }

    /// Returns a random permutation of 0, .., n - 1 (Fisher and Yates).
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, (self.uniform() * (i + 1) as f64) as usize);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::RandomState;

    #[test]
    fn the_words_are_those_of_the_authors() {
        // First outputs of init_genrand(5489), the default seed of the authors' program. The C++ standard
        // specifies the 10 000th output of std::mt19937.
        let mut random = RandomState::new(5489);
        assert_eq!([random.word(), random.word()], [3_499_211_612, 581_869_302]);
        let mut random = RandomState::new(5489);
        let last = (0..10_000).map(|_| random.word()).last();
        assert_eq!(last, Some(4_123_659_995));
    }

    #[test]
    fn the_normal_variates_are_those_of_numpy() {
        let drawn = |seed, count| {
            let mut random = RandomState::new(seed);
            (0..count).map(|_| random.standard_normal()).collect::<Vec<_>>()
        };
        let of_zero = [
            1.764_052_345_967_664,
            0.400_157_208_367_223_3,
            0.978_737_984_105_739_2,
            2.240_893_199_201_458,
            1.867_557_990_149_967_5,
        ];
        assert_eq!(drawn(0, 5), of_zero);
        assert_eq!(
            drawn(42, 3),
            [0.496_714_153_011_232_7, -0.138_264_301_171_184_66, 0.647_688_538_100_692_5]
        );
    }

    #[test]
    fn uniform_numbers_are_those_of_numpy() {
        // np.random.RandomState(0).random_sample(3)
        let mut random = RandomState::new(0);
        let drawn = [random.uniform(), random.uniform(), random.uniform()];
        assert_eq!(drawn, [0.548_813_503_927_324_8, 0.715_189_366_372_419_5, 0.602_763_376_071_643_9]);
    }

    #[test]
    fn integers_and_orders_cover_their_range() {
        let mut random = RandomState::new(1);
        let mut seen = [0; 5];
        (0..1000).for_each(|_| seen[(random.integer(-2, 2) + 2) as usize] += 1);
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
        let mut order = random.permutation(50);
        assert_ne!(order, (0..50).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }
}
