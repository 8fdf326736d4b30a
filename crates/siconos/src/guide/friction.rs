//! Contact with friction: how do I model a block that sticks and slides, or a sphere that rolls?
