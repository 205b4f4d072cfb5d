//! What parameters are called in other libraries.

use crate::error::Error;

/// Names in lower case without `_`, `-` and `.`, and what is meant: the first that a method has.
const USUAL: &[(&[&str], &[&str])] = &[
    (
        &[
            "nestimators",
            "ntree",
            "ntrees",
            "numtrees",
            "numiterations",
            "numround",
            "numrounds",
            "numboostround",
            "nrounds",
            "nboost",
        ],
        &["trees", "rounds", "members"],
    ),
    (&["maxdepth", "treedepth"], &["depth"]),
    (
        &[
            "minsamplesleaf",
            "minchildsamples",
            "mindatainleaf",
            "minbucket",
            "minnodesize",
            "nodesize",
        ],
        &["leaf"],
    ),
    (&["minsamplessplit", "minsplit"], &["split"]),
    (&["minimpuritydecrease", "minsplitgain"], &["gain"]),
    (&["ccpalpha", "cp"], &["prune"]),
    (&["maxfeatures", "mtry", "colsamplebytree", "featurefraction"], &["features", "share"]),
    (&["maxsamples", "subsample", "samplesize", "sampsize", "baggingfraction"], &["sample"]),
    (&["nneighbors", "nneighbours", "neighbors", "neighbours"], &["k"]),
    (&["weights", "voting"], &["votes", "rule"]),
    (
        &["c", "alpha", "lambda", "reglambda", "l2", "weightdecay", "decay"],
        &["penalty", "smoothing"],
    ),
    (&["l1ratio"], &["mix"]),
    (&["laplace", "fl", "pseudocount"], &["smoothing"]),
    (&["varsmoothing"], &["floor"]),
    (&["hiddenlayersizes", "units", "layers", "size", "neurons"], &["hidden"]),
    (&["learningrate", "learningrateinit", "eta", "lr", "shrinkage"], &["rate"]),
    (&["batchsize"], &["batch"]),
    (&["validationfraction"], &["hold"]),
    (&["niternochange", "earlystoppingrounds"], &["patience"]),
    (&["maxiter", "niter", "numiter", "itermax"], &["rounds", "epochs", "iterations"]),
    (&["tol", "eps"], &["tolerance"]),
    (&["gamma", "sigma", "lengthscale", "bandwidth"], &["width"]),
    (&["cv", "nfolds", "nsplits"], &["folds"]),
    (&["classweight", "classweights"], &["balance"]),
];

/// The error of a name that is none of the parameters of a method.
#[doc(hidden)]
pub fn unknown(of: &str, name: &str, known: &[&'static str]) -> Error {
    let wanted: String =
        name.chars().filter(|c| !"_-.".contains(*c)).flat_map(char::to_lowercase).collect();
    let meant = USUAL.iter().find(|(names, _)| names.contains(&wanted.as_str()));
    let meant = meant.and_then(|(_, own)| own.iter().find(|own| known.contains(own)));
    let place = Some(format!("method `{of}`"));
    Error::unknown_but("parameter", name, place, known.iter().copied(), meant.copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_libraries_lead_to_those_of_the_method() {
        let help = |name: &str, known: &[&'static str]| unknown("m", name, known).help();
        let forest = ["trees", "features", "depth", "leaf"];
        assert_eq!(help("n_estimators", &forest).as_deref(), Some("did you mean `trees`?"));
        assert_eq!(help("max.depth", &forest).as_deref(), Some("did you mean `depth`?"));
        assert_eq!(help("C", &["penalty", "mix"]).as_deref(), Some("did you mean `penalty`?"));
        // A name that the method has nothing for, and a slip, as before.
        let known = "known parameters: trees, features, depth, leaf";
        assert_eq!(help("gamma", &forest).as_deref(), Some(known));
        assert_eq!(help("treees", &forest).as_deref(), Some("did you mean `trees`?"));
    }

    #[test]
    fn no_name_stands_twice() {
        let mut names: Vec<&str> =
            USUAL.iter().flat_map(|(names, _)| names.iter().copied()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
