/** The words in which argument parsing says what it repaired, or why it refuses a text. */

/**
 * What was repaired, where the text has one reading only. Each with an example:
 * - `empty`: no text, white space or the text `null`: no arguments (`""` → `{}`);
 * - `double_encoded`: the text is a JSON string that holds an object (`"{\"a\":1}"` → `{"a":1}`), in up to four layers;
 * - `fence`: a code fence of back-ticks or tildes around the value, or one or two back-ticks;
 * - `trailing_marker`: the end of a template or a fence after the value (`{"a":1}</tool_call>`);
 * - `surrounding_text`: words, reasoning, tags or code around the one value (`Sure! {"a":1}`, `<think>…</think>{"a":1}`, `args = {"a":1};`);
 * - `odd_whitespace`: a byte order mark, a no-break space, a mark of the direction of writing and the like, between tokens;
 * - `comment`: `//`, `#` to the end of the line, or between `/*` and its end;
 * - `trailing_comma`: a comma or semicolon after the last member or the value (`[1,]`, `{};`);
 * - `extra_comma`: a comma too many between members of an object (`{"a":1,,"b":2}`);
 * - `missing_comma`: none between two members (`[{} {}]`);
 * - `semicolon`: one in place of a comma (`{"a":1; "b":2}`);
 * - `full_width`: `，` or `：` in place of a comma or colon (`{"a"：1}`);
 * - `missing_colon`: none between a key and its value (`{"a" 1}`);
 * - `equals_sign`: `=`, `=>` or `->` in place of a colon (`{"a"="b"}`);
 * - `missing_close`: the text ends behind a whole value, and brackets are still open (`{"a":"b"`);
 * - `extra_close`: brackets too many after the value (`{}}`);
 * - `wrong_close`: one bracket of the other kind, or one missing before it (`{"a":1]`, `[{"a":1]`);
 * - `single_quotes`: other quotes of the keyboard as delimiters: `'`, `´` or back-ticks (`{'a':1}`);
 * - `smart_quotes`: typographic quotes as delimiters (`{“a”:1}`);
 * - `doubled_quotes`: delimiters that stand twice or three times (`{""a"":1}`);
 * - `missing_quote`: one of the two delimiters is not there (`{a":1}`, `{"a: 1}`);
 * - `unescaped_quote`: quotes inside a text, in pairs, as the sign of inches (`"a "b" c"`) or as an apostrophe (`'it's'`);
 * - `unquoted_key`, `unquoted_value`: words or a date without quotes (`{a:1}`, `{"city":New York}`, `{"day":2025-01-10}`);
 * - `control_character`: a raw control character inside a text, kept as it is;
 * - `bad_escape`: `\'`, or a backslash before a line break that text is glued to, left out;
 * - `kept_backslash`: a backslash that JSON cannot read, before a letter or a sign of regular expressions, kept (`"\d+"` → `\d+`);
 * - `escaped`: the whole value is escaped once, as JSON or as HTML (`{\"a\":1}`, `{&quot;a&quot;:1}`);
 * - `concatenated`: texts joined by `+` (`"a" + "b"` → `"ab"`);
 * - `python_literal`: `True`, `False` or `None`, or a text with the prefix `u` or `r`;
 * - `literal_case`: `TRUE`, `NULL`, `nil` and the like;
 * - `loose_number`: `.5`, `5.`, `+5`, `−5`, `1_000`, `0x1F`, `0b101` or `0o17`;
 * - `tuple`: parentheses: a list, or a group of one value (`(1, 2)` → `[1,2]`);
 * - `repeated_value`: the same value twice, or `{}` before the real object;
 * - `unsafe_number`: an integer that a JavaScript number does not hold exactly, where the schema asks for an integer; without a schema, one
 *   that lost digits.
 */
export type RecoveryTag =
  | 'empty'
  | 'double_encoded'
  | 'fence'
  | 'trailing_marker'
  | 'surrounding_text'
  | 'odd_whitespace'
  | 'comment'
  | 'trailing_comma'
  | 'extra_comma'
  | 'missing_comma'
  | 'semicolon'
  | 'full_width'
  | 'missing_colon'
  | 'equals_sign'
  | 'missing_close'
  | 'extra_close'
  | 'wrong_close'
  | 'single_quotes'
  | 'smart_quotes'
  | 'doubled_quotes'
  | 'missing_quote'
  | 'unescaped_quote'
  | 'unquoted_key'
  | 'unquoted_value'
  | 'control_character'
  | 'bad_escape'
  | 'kept_backslash'
  | 'escaped'
  | 'concatenated'
  | 'python_literal'
  | 'literal_case'
  | 'loose_number'
  | 'tuple'
  | 'repeated_value'
  | 'unsafe_number'

/**
 * Why a text is refused:
 * - `truncated`: it ends inside a value, or the provider said that it was cut off;
 * - `elided`: data was left out (`[1, 2, ...]`);
 * - `missing_value`: nothing where a value must be (`{"a":}`, `[1,,2]`);
 * - `missing_colon`, `missing_comma`: a member that is not whole (`{"a"}`), or two that do not come apart;
 * - `multiple_values`: more than one value, not the same (`{"a":1}{"a":2}`);
 * - `bad_number`: `007`, `1.2.3`, `1/3`, `3kg`;
 * - `not_json_value`: `NaN`, `Infinity`, `undefined`;
 * - `unquoted_value`: words, calls or expressions (`now()`, `city=Paris`);
 * - `bad_escape`: an escape that means nothing (`\u12G4`), or something else elsewhere (`\0`, `\$5`), or that
 *   may be half of a quote (`{\"a\":1, \nb:2}`); in a text that isn't JSON otherwise also `\b`, `\f`, and `\t` in `C:\temp`;
 * - `unescaped_quote`: a quote inside a text, with more than one reading, or a comment that may hide members (`// "b": {`);
 * - `bad_key`: what is no key (`{5}`), or begins or ends with a raw control character;
 * - `mismatched_close`: more than one bracket of the other kind;
 * - `unexpected_character`, `trailing_text`: what does not belong there;
 * - `empty`: no value: comments alone, or of `recoverJson` no text at all;
 * - `not_an_object`: JSON, but no object (`[1]`, `5`);
 * - `repeated_key`: a key with two different values, in a text that isn't JSON otherwise (`{a: 1, a: 2}`);
 * - `undeclared_key`: with a schema, an undeclared argument that was meant for a declared one (`dryRun` for `dry_run`);
 * - `forbidden_key`: an own key `__proto__`, or `constructor` with a `prototype`;
 * - `too_deep`, `too_large`: it exceeds a limit.
 */
export type ArgumentErrorCode =
  | 'truncated'
  | 'elided'
  | 'missing_value'
  | 'missing_colon'
  | 'missing_comma'
  | 'multiple_values'
  | 'bad_number'
  | 'not_json_value'
  | 'unquoted_value'
  | 'bad_escape'
  | 'unescaped_quote'
  | 'bad_key'
  | 'mismatched_close'
  | 'unexpected_character'
  | 'trailing_text'
  | 'empty'
  | 'not_an_object'
  | 'repeated_key'
  | 'undeclared_key'
  | 'forbidden_key'
  | 'too_deep'
  | 'too_large'
