//! Extending the library: how do I write my own law, relation, integrator or solver?
