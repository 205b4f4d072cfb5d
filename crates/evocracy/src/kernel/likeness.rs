//! In which inputs a row is near a centre and in which far from it, in words.
//!
//! A kernel of distances looks at one number, the (squared) distance of scaled inputs. It is a sum
//! over inputs, so each has a share of it. This tells why the kernel is what it is; it moves no
//! probability, and what the centre adds stays one part.

use super::bases::Kernel;

/// At most so many of the farthest inputs are named.
const NAMED: usize = 2;

/// `, farthest in a (71 %) and b (20 %), nearest in c (0 %)`: shares of the squared distance, or
/// for the Laplacian of the distance. Empty for kernels that measure no distance and where there is
/// a single input.
pub(super) fn words(
    kernel: Kernel,
    row: &[f64],
    centre: &[f64],
    name: impl Fn(usize) -> String,
) -> String {
    let apart = |(a, b): (&f64, &f64)| match kernel {
        Kernel::Gaussian => (a - b) * (a - b),
        _ => (a - b).abs(),
    };
    if !matches!(kernel, Kernel::Gaussian | Kernel::Laplacian) || row.len() < 2 {
        return String::new();
    }
    let mut apart: Vec<(usize, f64)> = row.iter().zip(centre).map(apart).enumerate().collect();
    let all: f64 = apart.iter().map(|(_, apart)| apart).sum();
    if all <= 0.0 {
        return ", at no distance".to_owned();
    }
    if !all.is_finite() {
        return String::new();
    }
    // Equal ones in the order of the inputs.
    apart.sort_by(|a, b| b.1.total_cmp(&a.1));
    let say =
        |(input, apart): (usize, f64)| format!("{} ({:.0} %)", name(input), 100.0 * apart / all);
    let far = apart[..apart.len() - 1].iter().take(NAMED).take_while(|(_, apart)| *apart > 0.0);
    let far: Vec<String> = far.copied().map(say).collect();
    let least = apart[apart.len() - 1].1;
    let nearest = apart.iter().position(|(_, apart)| *apart <= least).unwrap_or(0);
    format!(", farthest in {}, nearest in {}", far.join(" and "), say(apart[nearest]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_the_distance_are_named() {
        let name = |input: usize| ["a", "b", "c", "d"][input].to_owned();
        let (row, centre) = ([0.0, 3.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0]);
        let said = |kernel| words(kernel, &row, &centre, name);
        assert_eq!(
            said(Kernel::Gaussian),
            ", farthest in b (90 %) and a (10 %), nearest in c (0 %)"
        );
        assert_eq!(
            said(Kernel::Laplacian),
            ", farthest in b (75 %) and a (25 %), nearest in c (0 %)"
        );
        assert_eq!(said(Kernel::Polynomial), "");
        assert_eq!(words(Kernel::Gaussian, &row, &row, name), ", at no distance");
        assert_eq!(words(Kernel::Gaussian, &row[..1], &centre[..1], name), "");
        let two = words(Kernel::Gaussian, &row[..2], &centre[..2], name);
        assert_eq!(two, ", farthest in b (90 %), nearest in a (10 %)");
        assert_eq!(words(Kernel::Gaussian, &[1e300; 2], &[-1e300; 2], name), "");
    }
}
