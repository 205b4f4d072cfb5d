//! What a command reads by the name of a data set.

use crate::args::{Data, Verb};

/// The names of all data sets or files of rows that a command opens.
pub fn data(verb: &Verb) -> Vec<&str> {
    let named: Vec<&String> = match verb {
        Verb::Fit(args) => [Some(&args.data), args.test.as_ref()].into_iter().flatten().collect(),
        Verb::Combine(args) => {
            [Some(&args.table), args.test.as_ref()].into_iter().flatten().collect()
        }
        Verb::Compare(args) => args.data.iter().collect(),
        Verb::Front(args) => vec![&args.data],
        Verb::Soften(args) => vec![&args.data],
        Verb::Select(args) => vec![&args.data],
        Verb::Predict(args) => vec![&args.data],
        Verb::Evaluate(args) => vec![&args.data],
        Verb::Explain(args) => vec![&args.data],
        Verb::Roc(args) => vec![&args.table],
        Verb::Data(Data::Show { data, .. }) => vec![data],
        _ => Vec::new(),
    };
    named.into_iter().map(String::as_str).filter(|name| *name != "-").collect()
}
