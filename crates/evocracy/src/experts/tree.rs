//! Classification trees.
