//! Reading a network from the text of a BIF file.

use super::lex::{Lexer, Word, found};
use crate::error::{Error, Result};
use crate::network::{Dag, Discrete, Network, Variable};
use std::collections::BTreeMap;

/// The most variables of a file.
const MAX_VARIABLES: usize = 1 << 16;

/// Reads a network from the text of a BIF file; `name` is the file's, for messages.
///
/// The rows of a table are made to sum to 1, for files round their numbers; a sum off by more than
/// 0.01 is an error. The probabilities of a conditional `table` are in the order of the format:
/// the node changes slowest and the last parent fastest.
pub fn read_bif(name: &str, text: &str) -> Result<Network> {
    let mut reader = Reader::new(name, text);
    loop {
        match reader.lexer.next()? {
            Word::Text("network") => reader.header()?,
            Word::Text("variable") => reader.variable()?,
            Word::Text("probability") => reader.probability()?,
            Word::Text("property") => reader.lexer.pass_property()?,
            Word::End => return reader.network(),
            other => {
                let wanted = "`network`, `variable` or `probability`";
                return Err(reader.lexer.wrong(found(other), wanted));
            }
        }
    }
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    variables: Vec<Variable>,
    /// The number of each name.
    places: BTreeMap<&'a str, usize>,
    /// The numbers of the states of each variable.
    states: Vec<BTreeMap<&'a str, usize>>,
    parents: Vec<Vec<u32>>,
    tables: Vec<Option<Vec<f64>>>,
    cells: u64,
}

impl<'a> Reader<'a> {
    fn new(name: &'a str, text: &'a str) -> Self {
        Self {
            lexer: Lexer::new(name, text),
            variables: Vec::new(),
            places: BTreeMap::new(),
            states: Vec::new(),
            parents: Vec::new(),
            tables: Vec::new(),
            cells: 0,
        }
    }

    fn header(&mut self) -> Result<()> {
        loop {
            match self.lexer.next()? {
                Word::Sign(b'{') => break,
                Word::Text(_) => {}
                other => return Err(self.lexer.wrong(found(other), "a name and `{`")),
            }
        }
        self.properties("`property` or `}`")
    }

    /// Properties up to the end of a block.
    fn properties(&mut self, expected: &str) -> Result<()> {
        loop {
            match self.lexer.next()? {
                Word::Sign(b'}') => return Ok(()),
                Word::Text("property") => self.lexer.pass_property()?,
                other => return Err(self.lexer.wrong(found(other), expected)),
            }
        }
    }

    /// `variable NAME { type discrete [ N ] { STATE, ... }; property ...; }`
    fn variable(&mut self) -> Result<()> {
        let name = self.lexer.text("the name of a variable")?;
        if self.places.insert(name, self.variables.len()).is_some() {
            return Err(self.lexer.wrong(format!("variable `{name}` comes twice"), "another name"));
        }
        if self.variables.len() >= MAX_VARIABLES {
            return Err(self.lexer.wrong("too many variables", format!("at most {MAX_VARIABLES}")));
        }
        self.lexer.sign(b'{')?;
        let mut states = None;
        loop {
            match self.lexer.next()? {
                Word::Text("property") => self.lexer.pass_property()?,
                Word::Text("type") if states.is_none() => states = Some(self.states()?),
                Word::Sign(b'}') => break,
                other => {
                    return Err(self.lexer.wrong(found(other), "`type`, `property` or `}`"));
                }
            }
        }
        let Some(states) = states else {
            let problem = format!("variable `{name}` has no type");
            return Err(self.lexer.wrong(problem, "`type discrete [ 2 ] { yes, no };`"));
        };
        let names = states.iter().map(|state| (*state).to_owned()).collect();
        self.variables.push(Variable { name: name.to_owned(), states: names });
        self.states.push(states.into_iter().enumerate().map(|(at, state)| (state, at)).collect());
        self.parents.push(Vec::new());
        self.tables.push(None);
        Ok(())
    }

    fn states(&mut self) -> Result<Vec<&'a str>> {
        self.lexer.keyword("discrete")?;
        self.lexer.sign(b'[')?;
        let count = self.lexer.text("the number of states")?;
        let count = count.parse::<usize>().ok();
        let count = count.filter(|n| (1..=Discrete::MAX_STATES as usize).contains(n));
        let Some(count) = count else {
            let expected = format!("a whole number from 1 to {}", Discrete::MAX_STATES);
            return Err(self.lexer.wrong("this is no number of states", expected));
        };
        self.lexer.sign(b']')?;
        self.lexer.sign(b'{')?;
        let mut states = Vec::new();
        let mut known = std::collections::BTreeSet::new();
        loop {
            match self.lexer.next()? {
                Word::Text(state) if !known.insert(state) => {
                    return Err(self
                        .lexer
                        .wrong(format!("state `{state}` comes twice"), "another name"));
                }
                Word::Text(state) if states.len() < count => states.push(state),
                Word::Sign(b'}') if states.len() == count => break,
                _ => {
                    let problem = format!("{count} states are announced, {} are here", known.len());
                    return Err(self.lexer.wrong(problem, format!("{count} states")));
                }
            }
        }
        self.lexer.sign(b';')?;
        Ok(states)
    }

    /// The number of a variable by its name.
    fn place(&self, name: &str) -> Result<usize> {
        self.places.get(name).copied().ok_or_else(|| {
            let known: Vec<String> = self.variables.iter().map(|v| v.name.clone()).collect();
            let near = crate::error::nearest(name, &known);
            let expected = near.map_or("a variable that was declared".into(), |n| format!("`{n}`"));
            self.lexer.wrong(format!("there is no variable `{name}`"), expected)
        })
    }

    /// `probability ( NODE | PARENT, ... ) { ... }`
    fn probability(&mut self) -> Result<()> {
        self.lexer.sign(b'(')?;
        let name = self.lexer.text("the name of a variable")?;
        let node = self.place(name)?;
        if self.tables[node].is_some() {
            return Err(self.lexer.wrong(format!("`{name}` has two tables"), "one table"));
        }
        let mut parents: Vec<u32> = Vec::new();
        let mut open = false;
        loop {
            match self.lexer.next()? {
                Word::Sign(b')') => break,
                Word::Sign(b'|') if !open => open = true,
                Word::Text(parent) if open => {
                    let parent = self.place(parent)? as u32;
                    if parents.contains(&parent) || parent as usize == node {
                        return Err(self
                            .lexer
                            .wrong("this parent comes twice", "another variable"));
                    }
                    parents.push(parent);
                }
                other => return Err(self.lexer.wrong(found(other), "`|`, a parent or `)`")),
            }
        }
        let states = |v: usize| self.variables[v].states.len() as u64;
        let cells = parents.iter().fold(states(node), |n, &p| n.saturating_mul(states(p as usize)));
        self.cells = self.cells.saturating_add(cells);
        if self.cells > Network::MAX_CELLS {
            let expected = format!("at most {} probabilities in all", Network::MAX_CELLS);
            return Err(self.lexer.wrong("the tables are too large", expected));
        }
        let mut table = Filling::new(node, parents, cells as usize, states(node) as usize);
        self.lexer.sign(b'{')?;
        self.rows(&mut table)?;
        self.finish(table)
    }

    /// The lines of a table.
    fn rows(&mut self, table: &mut Filling) -> Result<()> {
        loop {
            match self.lexer.next()? {
                Word::Sign(b'}') => return Ok(()),
                Word::Text("property") => self.lexer.pass_property()?,
                Word::Text("table") => {
                    let values = self.numbers(table.cells.len())?;
                    let configurations = table.cells.len() / table.states;
                    for (at, value) in values.into_iter().enumerate() {
                        let (state, row) = (at / configurations, at % configurations);
                        table.cells[row * table.states + state] = value;
                    }
                    table.filled.fill(true);
                }
                Word::Text("default") => {
                    let values = self.numbers(table.states)?;
                    for (row, filled) in table.filled.iter_mut().enumerate() {
                        if !std::mem::replace(filled, true) {
                            table.cells[row * table.states..][..table.states]
                                .copy_from_slice(&values);
                        }
                    }
                }
                Word::Sign(b'(') => {
                    let row = self.row(&table.parents)?;
                    let values = self.numbers(table.states)?;
                    table.cells[row * table.states..][..table.states].copy_from_slice(&values);
                    table.filled[row] = true;
                }
                other => {
                    return Err(self.lexer.wrong(found(other), "`table`, `default`, `(` or `}`"));
                }
            }
        }
    }

    /// The states of the parents up to `)`, as the number of a row.
    fn row(&mut self, parents: &[u32]) -> Result<usize> {
        let mut row = 0;
        for &parent in parents {
            let state = self.lexer.text("the state of a parent")?;
            let Some(at) = self.states[parent as usize].get(state) else {
                let variable = &self.variables[parent as usize];
                let problem = format!("`{}` has no state `{state}`", variable.name);
                let near = crate::error::nearest(state, &variable.states);
                let expected = near.map_or("one of its states".into(), |n| format!("`{n}`"));
                return Err(self.lexer.wrong(problem, expected));
            };
            row = row * self.variables[parent as usize].states.len() + at;
        }
        self.lexer.sign(b')')?;
        Ok(row)
    }

    /// So many probabilities and a semicolon.
    fn numbers(&mut self, count: usize) -> Result<Vec<f64>> {
        let mut values = Vec::new();
        loop {
            match self.lexer.next()? {
                Word::Text(text) if values.len() < count => {
                    let value = text.parse::<f64>().ok().filter(|p| (0.0..=1.01).contains(p));
                    let wrong = || self.lexer.wrong(found(Word::Text(text)), "a probability");
                    values.push(value.ok_or_else(wrong)?);
                }
                Word::Sign(b';') if values.len() == count => return Ok(values),
                other => {
                    let expected = format!("{count} probabilities and `;`");
                    return Err(self.lexer.wrong(found(other), expected));
                }
            }
        }
    }

    /// Takes a table that was read, its parents sorted.
    fn finish(&mut self, table: Filling) -> Result<()> {
        let name = &self.variables[table.node].name;
        if table.filled.contains(&false) {
            let problem = format!("the table of `{name}` has gaps");
            return Err(self.lexer.wrong(problem, "a row for every combination of the parents"));
        }
        let mut cells = table.sorted(&self.variables);
        for row in cells.chunks_exact_mut(table.states) {
            let sum: f64 = row.iter().sum();
            if (sum - 1.0).abs() > 0.01 {
                let problem = format!("probabilities of `{name}` sum to {sum}");
                return Err(self.lexer.wrong(problem, "a sum of 1"));
            }
            for cell in row {
                *cell /= sum;
            }
        }
        let mut parents = table.parents;
        parents.sort_unstable();
        self.parents[table.node] = parents;
        self.tables[table.node] = Some(cells);
        Ok(())
    }

    fn network(self) -> Result<Network> {
        let mut tables = Vec::new();
        for (table, variable) in self.tables.into_iter().zip(&self.variables) {
            let Some(table) = table else {
                let problem = format!("variable `{}` has no probabilities", variable.name);
                return Err(self.lexer.wrong(problem, "a table for every variable"));
            };
            tables.push(table);
        }
        let dag = Dag::try_from(self.parents).map_err(|_| -> Error {
            self.lexer.wrong("the parents close a cycle", "a graph without cycles")
        })?;
        Network::new(self.variables, dag, tables)
    }
}

/// A table on its way, its parents in the order of the file.
struct Filling {
    node: usize,
    parents: Vec<u32>,
    states: usize,
    cells: Vec<f64>,
    filled: Vec<bool>,
}

impl Filling {
    fn new(node: usize, parents: Vec<u32>, cells: usize, states: usize) -> Self {
        let filled = vec![false; cells / states];
        Self { node, parents, states, cells: vec![0.0; cells], filled }
    }

    /// The entries with the parents sorted.
    fn sorted(&self, variables: &[Variable]) -> Vec<f64> {
        let mut order: Vec<usize> = (0..self.parents.len()).collect();
        order.sort_by_key(|at| self.parents[*at]);
        let sizes: Vec<usize> =
            self.parents.iter().map(|&p| variables[p as usize].states.len()).collect();
        let mut out = Vec::with_capacity(self.cells.len());
        let mut codes = vec![0_usize; sizes.len()];
        for _ in 0..self.filled.len() {
            let row = codes.iter().zip(&sizes).fold(0, |row, (code, size)| row * size + code);
            out.extend_from_slice(&self.cells[row * self.states..][..self.states]);
            for &at in order.iter().rev() {
                codes[at] += 1;
                if codes[at] < sizes[at] {
                    break;
                }
                codes[at] = 0;
            }
        }
        out
    }
}
