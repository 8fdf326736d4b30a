//! Examples of rigid bodies and joints against what is known of their motion.

mod heavy_top;
mod tippe_top;
