//! What methods are called elsewhere.

/// Names in lower case without what [`meant`] drops, and the methods that do the same or come nearest.
const USUAL: &[(&[&str], &[&str])] = &[
    (&["rf", "randomforest", "randomforests", "ranger"], &["forest"]),
    (&["et", "extratree", "extremelyrandomizedtrees"], &["extra-trees"]),
    (
        &["cart", "dt", "c45", "c50", "id3", "j48", "rpart", "decisiontree", "decisiontrees"],
        &["tree"],
    ),
    (&["decisionstump", "oner"], &["stump"]),
    (&["nb", "gnb", "gaussiannb", "bernoullinb", "multinomialnb", "bayes"], &["naive-bayes"]),
    (&["kneighbors", "nearestneighbor", "nearestneighbors", "nearestneighbours", "ibk"], &["knn"]),
    (
        &[
            "lr",
            "logit",
            "logreg",
            "logisticregression",
            "glm",
            "glmnet",
            "maxent",
            "softmaxregression",
        ],
        &["logistic"],
    ),
    (
        &["svm", "svc", "linearsvc", "nusvc", "libsvm", "smo", "supportvectormachine"],
        &["rvm", "logistic"],
    ),
    (&["gp", "gpc", "gaussianprocess"], &["rvm"]),
    (
        &[
            "xgboost",
            "xgb",
            "gbm",
            "gbt",
            "gbdt",
            "lightgbm",
            "lgbm",
            "lgb",
            "catboost",
            "gradientboosting",
            "gradientboostedtrees",
            "histgradientboosting",
            "boosting",
            "ada",
        ],
        &["adaboost", "forest"],
    ),
    (&["bagging", "baggedtrees", "treebag"], &["bag"]),
    (&["stacking", "superlearner"], &["stack"]),
    (&["voting", "ensemble", "committee"], &["vote"]),
    (&["nn", "nnet", "ann", "dnn", "neuralnet", "neuralnetwork", "perceptron"], &["mlp"]),
    (&["ovr", "ova", "onevsrest", "onevsall"], &["one-rest"]),
    (&["ovo", "onevsone"], &["pairs"]),
    (&["ripper", "jrip", "part", "cn2"], &["foil", "moe-ga"]),
    (&["xcs", "lcs"], &["ucs"]),
    (&["ols", "lm", "linear", "linearregression", "linearmodel"], &["ridge"]),
    (&["lasso", "elasticnet"], &["logistic", "ridge"]),
    (&["svr", "gpr", "kernelridge", "krr"], &["rvm-regression"]),
];

/// The methods that a name means which none of them has; none where it is not known.
pub(super) fn meant(name: &str) -> &'static [&'static str] {
    let plain: String =
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    // `RandomForestClassifier`.
    let plain = plain.strip_suffix("classifier").unwrap_or(&plain);
    USUAL.iter().find(|(names, _)| names.contains(&plain)).map_or(&[], |(_, methods)| methods)
}

#[cfg(test)]
mod tests {
    use super::super::registry;
    use super::*;

    #[test]
    fn every_name_leads_to_methods_that_there_are() {
        let known: Vec<&str> = registry().iter().map(|entry| entry.name).collect();
        let mut names = Vec::new();
        for (usual, methods) in USUAL {
            assert!(methods.iter().all(|method| known.contains(method)), "{methods:?}");
            names.extend(usual.iter().copied());
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(names.iter().all(|name| !known.contains(name)));
    }

    #[test]
    fn names_are_found_however_they_are_written() {
        for name in ["random-forest", "Random_Forest", "RandomForestClassifier", "rf"] {
            assert_eq!(meant(name), ["forest"], "{name}");
        }
        assert_eq!(meant("SVM"), ["rvm", "logistic"]);
        assert_eq!(meant("tere"), [""; 0]);
    }
}
