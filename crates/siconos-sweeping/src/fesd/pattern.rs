//! Pattern of a step: the sequence of active sets, and the switches between them.

use super::radau::RadauTable;

/// Condition that ends a segment, which is a sequence of elements with one active set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The slack of an inactive pair reaches 0.
    SlackIsZero(usize),
    /// The weight of an active pair reaches 0.
    WeightIsZero(usize),
    /// The segment ends at the end of the step.
    Step,
}

/// Elements of equal length with one active set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segment {
    pub(super) active: Vec<usize>,
    pub(super) elements: usize,
    pub(super) ending: Ending,
}

/// Square system of a pattern. Its unknowns are the stages, weights and lengths of the elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternProblem<'a> {
    pub(super) table: &'a RadauTable,
    pub(super) segments: &'a [Segment],
    /// Start time of the first element.
    pub(super) t: f64,
    /// Step length if the last segment ends with the step; otherwise a length scale of the segments.
    pub(super) span: f64,
    pub(super) tolerance: f64,
    pub(super) max_iterations: usize,
}

/// Distributes `elements` elements over the segments. Each segment gets one element; each further element is
/// given to the segment whose elements are the longest.
pub(super) fn share_elements(segments: &mut [Segment], lengths: &[f64], elements: usize) {
    segments.iter_mut().for_each(|segment| segment.elements = 1);
    for _ in segments.len()..elements {
        let of_element = |k: usize| lengths[k] / segments[k].elements as f64;
        let longest =
            (0..segments.len()).fold(0, |best, k| if of_element(k) > of_element(best) { k } else { best });
        segments[longest].elements += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_elements_are_divided() {
        let segment = Segment { active: vec![0], elements: 0, ending: Ending::Step };
        let mut segments = vec![segment; 3];
        share_elements(&mut segments, &[0.1, 0.6, 0.3], 6);
        assert_eq!(segments.iter().map(|s| s.elements).collect::<Vec<_>>(), [1, 3, 2]);
        share_elements(&mut segments, &[0.1, 0.6, 0.3], 2);
        assert_eq!(segments.iter().map(|s| s.elements).collect::<Vec<_>>(), [1, 1, 1]);
    }
}
