//! siconos-kernel
