//! siconos-testkit
