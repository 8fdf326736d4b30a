//! What is wrong with events: each fault as it is printed.

use super::assert_refused;

/// Variables for events, eight lines.
const VARIABLES: &str = r#"[variables]
x = { initial = 0, equation = "x' = 1" }
y = { initial = [0, 1], equation = "y'' = -y" }
[discrete]
on = true
n = { type = "integer", initial = 0 }
[parameters]
k = 2
"#;

#[test]
fn keys_of_events() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
triger = "x"
[[events]]
trigger = "y"
action = 1
enabled = "no"
"#
        ),
        r#"
test.toml:11:1: event 1: the key `trigger` is missing
   |
11 | [[events]]
   | ^^^^^^^^^^

test.toml:12:1: event 1: unknown key `triger`; did you mean `trigger`?
   |
12 | triger = "x"
   | ^^^^^^

test.toml:15:10: event 2: expected a string, found a number
   |
15 | action = 1
   |          ^

test.toml:16:11: event 2: expected true or false, found a string
   |
16 | enabled = "no"
   |           ^^^^"#,
    );
}

#[test]
fn names_in_triggers_and_actions() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "decreasing(v)"
action = "a = onn"
[[events]]
trigger = "y"
action = ""
"#
        ),
        r#"
test.toml:12:23: event 1: unknown name `v`
   |
12 | trigger = "decreasing(v)"
   |                       ^

test.toml:13:15: event 1: unknown name `onn`; did you mean `on`?
   |
13 | action = "a = onn"
   |               ^^^

test.toml:16:11: event 2: expected a statement or `none`, found the end
   |
16 | action = ""
   |           ^"#,
    );
}

#[test]
fn what_an_action_cannot_assign() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "x - 1"
action = "t = 1"
[[events]]
trigger = "x - 2"
action = "y'' = 1"
[[events]]
trigger = "x - 3"
action = "k = 1"
[[events]]
trigger = "x - 4"
action = "x = 1; if on { x'' = 1 }"
"#
        ),
        r#"
test.toml:13:11: event 1: `t` is the independent variable; an action can assign states, derivatives below the order of their equation, and discrete variables
   |
13 | action = "t = 1"
   |           ^

test.toml:16:11: event 2: `y''` is the highest derivative of its equation; an action can assign states, derivatives below the order of their equation, and discrete variables
   |
16 | action = "y'' = 1"
   |           ^^^

test.toml:19:11: event 3: `k` is a parameter; an action can assign states, derivatives below the order of their equation, and discrete variables
   |
19 | action = "k = 1"
   |           ^

test.toml:22:26: event 4: no equation has a derivative `x''`; names of temporaries have no primes
   |
22 | action = "x = 1; if on { x'' = 1 }"
   |                          ^^^"#,
    );
}

#[test]
fn an_integer_in_a_text_of_several_lines() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "x - 3"
action = """
x = 1
if on { n = 1.5 }
"""
"#
        ),
        r#"
test.toml:15:13: event 1: 1.5 is not an integer
   |
15 | if on { n = 1.5 }
   |             ^^^"#,
    );
}

#[test]
fn a_required_variable_is_not_assigned() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "x - 1"
requires = "on"
action = "on = true"
[[events]]
trigger = "2 * k - x"
requires = "not on"
"#
        ),
        r#"
test.toml:14:11: event 1: `on` is a variable that triggers require; an action can assign states, derivatives below the order of their equation, and discrete variables
   |
14 | action = "on = true"
   |           ^^"#,
    );
}

#[test]
fn arguments_whose_sum_is_not_constant() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "x - 5"
requires = "on"
[[events]]
trigger = "5 - 2 * x"
requires = "not on"
"#
        ),
        r#"
test.toml:15:12: event 2: no proof is found that the sum of `x - 5.0` in event 1 and `5.0 - 2.0 * x` in event 2 is constant; it has to be for two events that require one variable
   |
15 | trigger = "5 - 2 * x"
   |            ^^^^^^^^^"#,
    );
}

#[test]
fn arguments_whose_difference_is_not_constant() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "decreasing(x - 5)"
requires = "on"
[[events]]
trigger = "5 - x"
requires = "not on"
"#
        ),
        r#"
test.toml:15:12: event 2: no proof is found that the difference of `x - 5.0` in event 1 and `5.0 - x` in event 2 is constant; it has to be for two events that require one variable
   |
15 | trigger = "5 - x"
   |            ^^^^^"#,
    );
}

#[test]
fn events_without_a_partner() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "x - 1"
requires = "on"
[[events]]
trigger = "x - 2"
requires = "on"
[[events]]
trigger = "1 - x"
requires = "not on"
"#
        ),
        r#"
test.toml:19:17: event 3: this needs exactly one other event that requires `on`, there are 2
   |
19 | requires = "not on"
   |                 ^^"#,
    );
}

#[test]
fn what_requires_goes_with() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "[y - 1, on]"
requires = "not on"
retrigger = false
[[events]]
trigger = "t = 1"
requires = " on "
[[events]]
trigger = "y"
requires = "not   n "
[[events]]
trigger = "y"
requires = "nothing"
"#
        ),
        r#"
test.toml:13:17: event 1: `requires` goes with a plain root, without a condition and without a side
   |
13 | requires = "not on"
   |                 ^^

test.toml:14:13: event 1: `requires` goes with no other option; leave this out
   |
14 | retrigger = false
   |             ^^^^^

test.toml:17:14: event 2: `requires` goes with a root only
   |
17 | requires = " on "
   |              ^^

test.toml:20:19: event 3: `n` is a discrete variable; `requires` takes a boolean one
   |
20 | requires = "not   n "
   |                   ^

test.toml:23:13: event 4: unknown name `nothing`; `requires` takes a boolean variable
   |
23 | requires = "nothing"
   |             ^^^^^^^"#,
    );
}

#[test]
fn conditions_that_read_what_changes_between_events() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "x > 1 and on"
[[events]]
trigger = "change(y)"
[[events]]
trigger = "[0, x > 1 and change(y)]"
"#
        ),
        r#"
test.toml:12:12: event 1: this condition reads `x`, which changes between events: write `[root, condition]` for the root at which it has to hold, or `[0, condition]` to judge it at other events
   |
12 | trigger = "x > 1 and on"
   |            ^^^^^^^^^^^^

test.toml:14:12: event 2: this condition reads `y`, which changes between events: write `[root, condition]` for the root at which it has to hold, or `[0, condition]` to judge it at other events
   |
14 | trigger = "change(y)"
   |            ^^^^^^^^^"#,
    );
}

#[test]
fn actions_that_do_nothing() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "[0, x > 1]"
action = "no_mark"
"#
        ),
        r#"
test.toml:13:11: event 1: `no_mark` is no action by itself; it ends one that does something
   |
13 | action = "no_mark"
   |           ^^^^^^^"#,
    );
}

#[test]
fn options_of_timed_triggers() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "t = 1"
retrigger = true
fire_initial = 1
[[events]]
trigger = "t = k"
"#
        ),
        r#"
test.toml:13:13: event 1: `retrigger` does not go with a timed trigger, which comes once at a time; leave it out
   |
13 | retrigger = true
   |             ^^^^

test.toml:14:16: event 1: expected true or false, found a number
   |
14 | fire_initial = 1
   |                ^

test.toml:16:16: event 2: the time of a trigger is a constant; `k` is not
   |
16 | trigger = "t = k"
   |                ^"#,
    );
}

#[test]
fn sides_ranges_and_the_past() {
    assert_refused(
        &format!(
            "{VARIABLES}{}",
            r#"[[events]]
trigger = "side(y', pre)"
action = "x = y'' + 1"
[[events]]
trigger = "x = k .. 1"
[[events]]
trigger = "x = 2 .. 1"
[[events]]
trigger = "[x - pre(x), change(x)]"
[[events]]
trigger = "y''"
"#
        ),
        r#"
test.toml:12:17: event 1: side works on a dependent variable; add an algebraic equation for an expression
   |
12 | trigger = "side(y', pre)"
   |                 ^^

test.toml:13:15: event 1: `y''` is what its equation defines; write the right side of that in its place
   |
13 | action = "x = y'' + 1"
   |               ^^^

test.toml:15:16: event 2: the ends of a range are constants; for others take the function minus what varies
   |
15 | trigger = "x = k .. 1"
   |                ^

test.toml:17:21: event 3: the range is from 2 to 1; its ends must be finite, and rise
   |
17 | trigger = "x = 2 .. 1"
   |                     ^

test.toml:19:17: event 4: pre has no meaning outside events
   |
19 | trigger = "[x - pre(x), change(x)]"
   |                 ^^^

test.toml:21:12: event 5: `y''` is what its equation defines; write the right side of that in its place
   |
21 | trigger = "y''"
   |            ^^^"#,
    );
}

#[test]
fn events_in_an_array() {
    assert_refused(
        r#"events = [1, { trigger = "x" }, { trigger = "change(on)", action = "on = not onn" }]
[variables]
x = { initial = 0, equation = "x' = 1" }
[discrete]
on = true
"#,
        r#"
test.toml:3:11: event 1: expected a table, found a number
  |
3 | events = [1, { trigger = "x" }, { trigger = "change(on)", action = "on = not onn" }]
  |           ^

test.toml:3:78: event 3: unknown name `onn`; did you mean `on`?
  |
3 | events = [1, { trigger = "x" }, { trigger = "change(on)", action = "on = not onn" }]
  |                                                                              ^^^"#,
    );
}

#[test]
fn events_are_tables() {
    assert_refused(
        r#"events = 3
[variables]
x = { initial = 0, equation = "x' = 1" }
"#,
        r#"
test.toml:3:10: expected an array of tables, found a number
  |
3 | events = 3
  |          ^"#,
    );
}
