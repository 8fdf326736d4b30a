//! Rigid bodies and joints: how do I build a mechanism from bodies, joints, stops and motors?
