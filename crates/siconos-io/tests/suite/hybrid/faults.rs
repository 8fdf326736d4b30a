//! What is wrong with a file apart from its events: each fault as it is printed.

use siconos_io::document::DocumentError;
use siconos_io::hybrid::HybridModel;

use super::assert_refused;

#[test]
fn a_text_that_is_not_toml() {
    assert_refused(
        r#"[variables]
x = { initial = 1, equation = "x' = 1"
"#,
        r#"
test.toml:4:39: unclosed inline table, expected `}`
  |
4 | x = { initial = 1, equation = "x' = 1"
  |                                       ^"#,
    );
}

#[test]
fn all_that_is_wrong_with_the_form_is_told() {
    assert_refused(
        r#"[variables]
x = { initial = 1, equation = "x' = 1" }
x = 2
y = 1..2
"#,
        r#"
test.toml:5:1: duplicate key
  |
5 | x = 2
  | ^

test.toml:6:7: invalid fraction, expected digits
  |
6 | y = 1..2
  |       ^

test.toml:6:7: invalid float, expected nothing
  |
6 | y = 1..2
  |       ^^"#,
    );
}

#[test]
fn keys_that_are_unknown_or_missing() {
    assert_refused(
        r#"kinds = 1
[variables]
x = { initial = 1, equation = "x' = 1", order = 1 }
y = 3
z = { equatoin = "0 = z" }
[setings]
event_pre = "initial"
"#,
        r#"
test.toml:3:1: unknown key `kinds`; did you mean `kind`?
  |
3 | kinds = 1
  | ^^^^^

test.toml:5:41: unknown key `order`
  |
5 | x = { initial = 1, equation = "x' = 1", order = 1 }
  |                                         ^^^^^

test.toml:6:5: expected a table, found a number
  |
6 | y = 3
  |     ^

test.toml:7:5: the key `initial` is missing
  |
7 | z = { equatoin = "0 = z" }
  |     ^^^^^^^^^^^^^^^^^^^^^^

test.toml:7:5: the key `equation` is missing
  |
7 | z = { equatoin = "0 = z" }
  |     ^^^^^^^^^^^^^^^^^^^^^^

test.toml:7:7: unknown key `equatoin`; did you mean `equation`?
  |
7 | z = { equatoin = "0 = z" }
  |       ^^^^^^^^

test.toml:8:2: unknown key `setings`; did you mean `settings`?
  |
8 | [setings]
  |  ^^^^^^^"#,
    );
}

#[test]
fn initial_values_that_do_not_fit_the_order() {
    assert_refused(
        r#"[variables.x]
equation = "x' = 1"
[variables.y]
initial = [1, "1 / 0"]
equation = "y'' = -y"
[variables.z]
initial = [1, 2]
equation = "0 = z - x"
[variables.w]
initial = [1, 2]
equation = "w''' = 1"
[variables.v]
initial = [1, 2]
equation = "v' = 1"
"#,
        r#"
test.toml:3:1: the key `initial` is missing
  |
3 | [variables.x]
  | ^^^^^^^^^^^^^

test.toml:6:15: this is inf; it must be finite
  |
6 | initial = [1, "1 / 0"]
  |               ^^^^^^^

test.toml:9:11: an algebraic variable needs a guess, one number; found 2
  |
9 | initial = [1, 2]
  |           ^^^^^^

test.toml:12:11: `w'''` needs 3 initial values, of `w`, `w'` and `w''`; found 2
   |
12 | initial = [1, 2]
   |           ^^^^^^

test.toml:15:11: `v'` needs one initial value, of `v`; found 2
   |
15 | initial = [1, 2]
   |           ^^^^^^"#,
    );
}

#[test]
fn left_sides_of_equations() {
    assert_refused(
        r#"[variables]
u = { initial = 1, equation = "  u = 3" }
s = { initial = 1, equation = "s - 1" }
r = { initial = 1, equation = "q' = 1 == 2" }
q = { initial = 1, equation = "q = 1" }
"#,
        r#"
test.toml:4:34: the equation of `u` begins with `u' =`, `u'' =` or, if it is algebraic, `0 =`
  |
4 | u = { initial = 1, equation = "  u = 3" }
  |                                  ^

test.toml:5:32: the equation of `s` begins with `s' =`, `s'' =` or, if it is algebraic, `0 =`
  |
5 | s = { initial = 1, equation = "s - 1" }
  |                                ^^^^^

test.toml:6:32: the equation of `r` begins with `r' =`, `r'' =` or, if it is algebraic, `0 =`
  |
6 | r = { initial = 1, equation = "q' = 1 == 2" }
  |                                ^^

test.toml:7:32: the equation of `q` begins with `q' =`, `q'' =` or, if it is algebraic, `0 =`
  |
7 | q = { initial = 1, equation = "q = 1" }
  |                                ^"#,
    );
}

#[test]
fn right_sides_of_equations() {
    assert_refused(
        r#"[variables]
r = { initial = 1, equation = "r' = 1 + q" }
p = { initial = 1, equation = "p' = r + pre(r)" }
o = { initial = 1, equation = "o' = 1 < 2" }
m = { initial = [1, 0], equation = """
m'' = r
   + o'""" }
"#,
        r#"
test.toml:4:41: unknown name `q`
  |
4 | r = { initial = 1, equation = "r' = 1 + q" }
  |                                         ^

test.toml:5:41: pre has no meaning outside events
  |
5 | p = { initial = 1, equation = "p' = r + pre(r)" }
  |                                         ^^^

test.toml:6:37: expected a number, found a condition
  |
6 | o = { initial = 1, equation = "o' = 1 < 2" }
  |                                     ^^^^^

test.toml:9:6: `o'` is what its equation defines; write the right side of that in its place
  |
9 |    + o'""" }
  |      ^^"#,
    );
}

#[test]
fn a_string_with_escapes_is_marked_as_a_whole() {
    assert_refused(
        r#"[variables]
p = { initial = 1, equation = "p' = \t1 + q" }
"#,
        r#"
test.toml:4:31: unknown name `q`
  |
4 | p = { initial = 1, equation = "p' = \t1 + q" }
  |                               ^^^^^^^^^^^^^^"#,
    );
}

#[test]
fn names_that_cannot_be_declared() {
    assert_refused(
        r#"[variables]
t = { initial = 0, equation = "t' = 1" }
sin = { initial = 0, equation = "sin' = 1" }
"x'" = { initial = 0, equation = "0 = 1" }
"a b" = { initial = 0, equation = "0 = 1" }
x = { initial = 0, equation = "x' = 1" }
[discrete]
x = 1.0
n = 1.0
[parameters]
n = 2
"#,
        r#"
test.toml:4:1: `t` is the time and cannot be declared
  |
4 | t = { initial = 0, equation = "t' = 1" }
  | ^

test.toml:5:1: `sin` is a function and cannot be declared
  |
5 | sin = { initial = 0, equation = "sin' = 1" }
  | ^^^

test.toml:6:1: `x'` cannot be declared; primes are for derivatives, which follow from the equations
  |
6 | "x'" = { initial = 0, equation = "0 = 1" }
  | ^^^^

test.toml:7:1: `a b` is not a name: letters, digits and `_`, with no digit in front, and primes behind
  |
7 | "a b" = { initial = 0, equation = "0 = 1" }
  | ^^^^^

test.toml:10:1: there is another `x`; each name stands for one thing
   |
10 | x = 1.0
   | ^

test.toml:13:1: there is another `n`; each name stands for one thing
   |
13 | n = 2
   | ^"#,
    );
}

#[test]
fn values_of_the_wrong_type() {
    assert_refused(
        r#"title = 3
[time]
start = "2 *"
end = inf
[variables]
x = { initial = 0, equation = 1 }
[discrete]
n = { type = "integer", initial = 1.5 }
b = { type = "bool", initial = true }
c = { type = "boolean", initial = 1 }
e = { type = "float" }
f = [1]
g = 1979-05-27
[parameters]
k = "2 * m"
h = true
"#,
        r#"
test.toml:3:9: expected a string, found a number
  |
3 | title = 3
  |         ^

test.toml:5:13: expected an expression, found the end
  |
5 | start = "2 *"
  |             ^

test.toml:6:7: this is inf; it must be finite
  |
6 | end = inf
  |       ^^^

test.toml:8:31: expected a string, found a number
  |
8 | x = { initial = 0, equation = 1 }
  |                               ^

test.toml:10:35: this is 1.5; it must be a whole number of at most 2^53
   |
10 | n = { type = "integer", initial = 1.5 }
   |                                   ^^^

test.toml:11:14: expected one of `float`, `integer`, `boolean`, found `bool`
   |
11 | b = { type = "bool", initial = true }
   |              ^^^^^^

test.toml:12:35: expected true or false, found a number
   |
12 | c = { type = "boolean", initial = 1 }
   |                                   ^

test.toml:13:5: the key `initial` is missing
   |
13 | e = { type = "float" }
   |     ^^^^^^^^^^^^^^^^^^

test.toml:14:5: expected a number or an expression of constants, found an array
   |
14 | f = [1]
   |     ^^^

test.toml:15:5: expected a number or an expression of constants, found a date or time
   |
15 | g = 1979-05-27
   |     ^^^^^^^^^^

test.toml:17:10: unknown name `m`
   |
17 | k = "2 * m"
   |          ^

test.toml:18:5: expected a number or an expression of constants, found a boolean
   |
18 | h = true
   |     ^^^^"#,
    );
}

#[test]
fn a_model_moves() {
    assert_refused(
        r#"[variables]
z = { initial = 0, equation = "0 = z - 1" }
"#,
        r#"
test.toml:1:1: at least one variable needs a differential equation
  |
1 | format = 1
  | ^"#,
    );
}

#[test]
fn a_model_has_variables() {
    assert_refused(
        "",
        r#"
test.toml:1:1: the key `variables` is missing
  |
1 | format = 1
  | ^"#,
    );
}

/// How a text without the head of the others is refused.
fn refusal(text: &str) -> String {
    HybridModel::parse(text, "test.toml").map(|_| ()).expect_err("it has a fault").to_string()
}

#[test]
fn the_format_and_the_kind_are_said() {
    let variables = "[variables]\nx = { initial = 0, equation = \"x' = 1\" }\n";
    let missing = |key| format!("test.toml:1:1: the key `{key}` is missing\n  |\n1 | [variables]\n  | ^");
    assert_eq!(refusal(variables), format!("{}\n\n{}", missing("format"), missing("kind")));
    assert_eq!(
        refusal(&format!("format = 2\nkind = \"hybird\"\n{variables}")),
        "test.toml:1:10: this is format 2; this program reads format 1\n  |\n1 | format = 2\n  |          ^\n\n\
         test.toml:2:8: expected one of `hybrid`, found `hybird`; did you mean `hybrid`?\n  |\n2 | kind = \"hybird\"\n  \
         |        ^^^^^^^^"
    );
}

#[test]
fn a_file_that_is_not_there() {
    let error = HybridModel::read("no/such/file.toml").map(|_| ()).expect_err("it is not there");
    assert!(matches!(error, DocumentError::Io { .. }));
    assert!(error.to_string().starts_with("no/such/file.toml: cannot read: "), "{error}");
}
