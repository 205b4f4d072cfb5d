//! Agreement of true and predicted classes in one number, for any number of classes.

use super::Confusion;

impl Confusion {
    /// The mean over the classes of the share of their rows that was called rightly. Classes
    /// without rows do not count. For two classes: the mean of sensitivity and specificity.
    pub fn balanced_accuracy(&self) -> f64 {
        let recalls: Vec<f64> = (0..self.classes()).filter_map(|class| self.tpr(class)).collect();
        // Some class has rows: a confusion matrix without weight cannot be made.
        recalls.iter().sum::<f64>() / recalls.len() as f64
    }

    /// Cohen's kappa: how far the agreement goes beyond chance, `(p_o - p_e) / (1 - p_e)`
    /// (J. Cohen, Educational and Psychological Measurement 20 (1960) 37-46). 1 at best, 0 for
    /// chance, at least -1.
    ///
    /// `None` where all rows are of one class and were all called so: chance then agrees as
    /// well, and nothing can go beyond it.
    pub fn kappa(&self) -> Option<f64> {
        let m = Margins::of(self);
        if m.classes_true < 2 && m.classes_called < 2 && m.right > 0.0 {
            return None;
        }
        let room = m.total * m.total - m.chance;
        (room > 0.0).then(|| (m.beyond_chance() / room).clamp(-1.0, 1.0))
    }

    /// Matthews' correlation coefficient (B. W. Matthews, Biochimica et Biophysica Acta 405
    /// (1975) 442-451), for more than two classes `R_K` (J. Gorodkin, Computational Biology and
    /// Chemistry 28 (2004) 367-374). 1 at best, 0 for chance; -1 at worst for two
    /// classes, somewhere between -1 and 0 for more.
    ///
    /// `None` where all rows are of one class or all were called so: what does not vary does not
    /// correlate. (scikit-learn reports 0.)
    pub fn mcc(&self) -> Option<f64> {
        let m = Margins::of(self);
        if m.classes_true < 2 || m.classes_called < 2 {
            return None;
        }
        let spread = (m.spread_true * m.spread_called).sqrt();
        (spread > 0.0).then(|| (m.beyond_chance() / spread).clamp(-1.0, 1.0))
    }
}

/// Sums over the rows and columns of a confusion matrix, scaled to a total of about 1 so that
/// their products neither overflow nor vanish.
struct Margins {
    total: f64,
    /// The sum of the diagonal.
    right: f64,
    /// The sum over the classes of true times called weight.
    chance: f64,
    /// `total^2 - sum true^2` and the same of called weights, without cancellation.
    spread_true: f64,
    spread_called: f64,
    /// How many classes have true rows, and called ones.
    classes_true: usize,
    classes_called: usize,
}

impl Margins {
    fn of(c: &Confusion) -> Self {
        // A power of two changes no digits.
        let scale = 2f64.powi(-(c.total().log2().floor().clamp(-1000.0, 1000.0) as i32));
        let classes = 0..c.classes();
        let of_row = |t: usize| c.row(t).iter().map(|cell| cell * scale).sum();
        let of_column = |p: usize| classes.clone().map(|t| c.count(t, p) * scale).sum();
        let truth: Vec<f64> = classes.clone().map(of_row).collect();
        let called: Vec<f64> = classes.clone().map(of_column).collect();
        let total = c.total() * scale;
        let spread = |sums: &[f64]| sums.iter().map(|s| s * (total - s)).sum();
        let present = |sums: &[f64]| sums.iter().filter(|s| **s > 0.0).count();
        Self {
            total,
            right: classes.clone().map(|class| c.count(class, class) * scale).sum(),
            chance: truth.iter().zip(&called).map(|(t, p)| t * p).sum(),
            spread_true: spread(&truth),
            spread_called: spread(&called),
            classes_true: present(&truth),
            classes_called: present(&called),
        }
    }

    fn beyond_chance(&self) -> f64 {
        self.right * self.total - self.chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(truth: &[u32], called: &[u32], classes: usize) -> Confusion {
        Confusion::new(truth, called, classes, None).unwrap()
    }

    #[test]
    fn perfect_inverse_and_constant_calls() {
        let perfect = of(&[0, 1, 2, 2], &[0, 1, 2, 2], 3);
        assert_eq!((perfect.kappa(), perfect.mcc()), (Some(1.0), Some(1.0)));
        let inverse = of(&[0, 1, 0, 1], &[1, 0, 1, 0], 2);
        assert_eq!((inverse.kappa(), inverse.mcc()), (Some(-1.0), Some(-1.0)));
        let constant = of(&[0, 1, 0, 1], &[1, 1, 1, 1], 2);
        assert_eq!((constant.kappa(), constant.mcc()), (Some(0.0), None));
        assert_eq!(constant.balanced_accuracy(), 0.5);
        let single = of(&[1, 1], &[1, 1], 2);
        assert_eq!((single.kappa(), single.mcc()), (None, None));
        assert_eq!(single.balanced_accuracy(), 1.0);
        let wrong = of(&[1, 1], &[0, 0], 2);
        assert_eq!((wrong.kappa(), wrong.mcc()), (Some(0.0), None));
    }

    #[test]
    fn the_size_of_weights_does_not_matter() {
        let of = |weight: f64| {
            let c = Confusion::new(&[0, 1, 1, 0], &[0, 1, 0, 0], 2, Some(&[weight; 4])).unwrap();
            (c.kappa(), c.mcc())
        };
        assert_eq!((of(1.0), of(2f64.powi(-1000))), (of(2f64.powi(1000)), of(1.0)));
    }
}
