//! Every operator keeps its genome valid, whatever the domain and the seed, and children have
//! nothing that neither parent had unless a mutation brought it.

use evocracy::evolve::vary::{
    Adapt, BitFlip, Chance, Copy, Creep, Crossover, Discrete, Either, Gauss, Invert, Laplace, Mask,
    Mutation, Nothing, Order, Pmx, Polynomial, Replace, Reset, Reverse, Sbx, Swap,
};
use evocracy::evolve::{
    Attribute, Bits, Domain, Hypotheses, Integers, Permutations, Reals, Space, Stepping, rng,
};
use evocracy::run::Seed;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// Samples, recombines and mutates for a while; all that comes out belongs to the space. The
/// children hold other genomes before they are written.
fn stays_valid<D, C, M>(domain: D, cross: C, mutate: M, seed: u64) -> Result<(), TestCaseError>
where
    D: Domain,
    C: Crossover<D>,
    M: Mutation<D>,
{
    let mut rng = rng(Seed::new(seed));
    let space = domain.vary(cross, mutate);
    space.check()?;
    let mut pool = (0..6).map(|_| space.sample(&mut rng)).collect::<Result<Vec<_>, _>>()?;
    for step in 0..20 {
        let (parents, children) = pool.split_at_mut(4);
        let [first, second] = children else { unreachable!("six genomes") };
        let couple = [&parents[step % 4], &parents[(step + 1) % 4]];
        space.recombine(couple, [&mut *first, &mut *second], &mut rng);
        space.admit(first)?;
        space.admit(second)?;
        space.mutate(first, &mut rng);
        space.admit(first)?;
        prop_assert!(space.distance(first, second).is_some_and(|distance| distance >= 0.0));
        let [mut a, mut b] = [Vec::new(), Vec::new()];
        space.key(first, &mut a);
        space.key(second, &mut b);
        prop_assert_eq!(a == b, space.words(first) == space.words(second));
        pool.swap(step % 4, 4);
    }
    Ok(())
}

proptest! {
    #[test]
    fn bit_strings(len in 2_usize..200, cuts in 1_usize..7, p in 0.0..=1.0, seed: u64) {
        let domain = || Bits::new(len);
        stays_valid(domain(), Mask::Points(cuts.min(len - 1)), BitFlip::new(p), seed)?;
        stays_valid(domain(), Mask::SINGLE, Chance { p, of: Invert }, seed)?;
        let either = Either { p, first: Mask::Uniform, second: Copy };
        stays_valid(domain(), either, (Replace, BitFlip::new(p)), seed)?;
        let outlook = Attribute::new("Outlook", &["Sunny", "Overcast", "Rain"]);
        let tennis = Hypotheses::new(vec![outlook, Attribute::new("Wind", &["Strong", "Weak"])]);
        stays_valid(tennis, Mask::DOUBLE, BitFlip::new(p), seed)?;
    }

    #[test]
    fn real_vectors(n in 1_usize..12, low in -1e3..1e3, width in 0.0..1e3, eta in 0.0..50.0,
                    p in 0.0..=1.0, seed: u64) {
        let domain = || Reals::cube(n, low, low + width);
        stays_valid(domain(), Sbx::new(eta), Polynomial::new(eta, p), seed)?;
        stays_valid(domain(), Mask::Uniform, Gauss::new(eta, p), seed)?;
        let either = Either { p, first: Laplace::new(eta, p), second: Nothing };
        stays_valid(domain(), Chance { p, of: Sbx { eta, each: 1.0 } }, either, seed)?;
        stays_valid(Stepping::new(domain(), 0.2), Discrete, Adapt, seed)?;
    }

    #[test]
    fn integer_vectors(n in 1_usize..12, low in -100_i32..100, width in 0_i32..50, p in 0.0..=1.0,
                       most in 1_u32..100, seed: u64) {
        let domain = || Integers::new(&vec![(low, low + width); n]);
        stays_valid(domain(), Mask::Uniform, Reset::new(p), seed)?;
        stays_valid(domain(), Mask::Uniform, Creep::new(p, most), seed)?;
        let whole = Integers::new(&[(i32::MIN, i32::MAX)]);
        stays_valid(whole, Copy, (Reset::new(p), Creep::new(p, u32::MAX)), seed)?;
    }

    #[test]
    fn permutations(n in 1_usize..60, p in 0.0..=1.0, seed: u64) {
        let domain = || Permutations::new(n);
        stays_valid(domain(), Pmx, Swap, seed)?;
        stays_valid(domain(), Order, Reverse, seed)?;
        stays_valid(domain(), Chance { p, of: Pmx }, (Chance { p, of: Reverse }, Replace), seed)?;
    }

    /// A crossover by mask gives every gene of the parents to one of the children.
    #[test]
    fn masks_lose_no_gene(len in 2_usize..150, cuts in 1_usize..5, seed: u64) {
        let (domain, mut rng) = (Bits::new(len), rng(Seed::new(seed)));
        let [a, b] = [domain.sample(&mut rng), domain.sample(&mut rng)];
        let [mut c, mut d] = [a.clone(), a.clone()];
        for mask in [Mask::Uniform, Mask::Points(cuts.min(len - 1))] {
            mask.cross(&domain, [&a, &b], [&mut c, &mut d], &mut rng);
            for i in 0..len {
                let (mut before, mut after) = ([a.get(i), b.get(i)], [c.get(i), d.get(i)]);
                before.sort_unstable();
                after.sort_unstable();
                prop_assert_eq!(before, after);
            }
        }
    }
}
