//! Large models and threads: how do I simulate thousands of contacts?
