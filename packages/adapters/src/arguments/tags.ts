/** Tags for repairs of argument text, and codes for refusals. */

/**
 * Repairs of unambiguous text, with examples:
 * - `empty`: no text, only white space or the text `null`, read as no arguments (`""` → `{}`);
 * - `double_encoded`: a JSON string that contains an object (`"{\"a\":1}"` → `{"a":1}`), in up to four layers, or `"{"a":1}"`;
 * - `fence`: a code fence of backticks or tildes around the value, or one or two backticks;
 * - `trailing_marker`: a template marker or a closing fence after the value (`{"a":1}</tool_call>`);
 * - `surrounding_text`: prose, reasoning, tags or code around the value (`Sure! {"a":1}`, `<think>…</think>{"a":1}`, `args = {"a":1};`);
 * - `odd_whitespace`: a byte order mark, a no-break space, a text direction mark and the like, between tokens;
 * - `comment`: a comment that starts with `//`, `#` or `/*`;
 * - `trailing_comma`: a comma or semicolon after the last member or the value (`[1,]`, `{};`);
 * - `extra_comma`: an extra comma between members of an object (`{"a":1,,"b":2}`);
 * - `missing_comma`: no comma between two members (`[{} {}]`);
 * - `semicolon`: a semicolon instead of a comma (`{"a":1; "b":2}`);
 * - `full_width`: full-width `，`, `；`, `、` or `：` instead of a comma or colon (`{"a"：1}`);
 * - `missing_colon`: no colon between a key and its value (`{"a" 1}`);
 * - `equals_sign`: `=`, `=>` or `->` instead of a colon (`{"a"="b"}`);
 * - `missing_close`: the text ends after a complete value, and brackets are still open (`{"a":"b"`);
 * - `extra_close`: extra brackets after the value (`{}}`);
 * - `wrong_close`: one closing bracket is of the wrong kind, or one is missing before another (`{"a":1]`, `[{"a":1]`);
 * - `single_quotes`: other keyboard quotes as delimiters: `'`, `´` or backticks (`{'a':1}`);
 * - `smart_quotes`: typographic quotes as delimiters (`{“a”:1}`);
 * - `doubled_quotes`: doubled or tripled delimiters (`{""a"":1}`);
 * - `missing_quote`: one of the two delimiters is missing (`{a":1}`, `{"a: 1}`);
 * - `unescaped_quote`: quotes inside a string: in pairs (`"a "b" c"`), as an inch sign, or as an apostrophe (`'it's'`);
 * - `unquoted_key`, `unquoted_value`: words, a date, an IP address or a UUID without quotes (`{a:1}`, `{"city":New York}`,
 *   `{"day":2025-01-10}`);
 * - `control_character`: a raw control character inside a string, kept unchanged;
 * - `bad_escape`: a backslash before `'`, or before a line break without white space around it, removed;
 * - `kept_backslash`: an invalid backslash before a letter or a regular-expression character, kept (`"\d+"` → `\d+`);
 * - `escaped`: the whole value, or its white space, is escaped once more than needed, as JSON or as HTML (`{\"a\":1}`,
 *   `{&quot;a&quot;:1}`);
 * - `concatenated`: strings joined by `+` (`"a" + "b"` → `"ab"`);
 * - `python_literal`: `True`, `False` or `None`, or a string with the prefix `u` or `r`;
 * - `literal_case`: `TRUE`, `NULL`, `nil` and the like;
 * - `loose_number`: `.5`, `5.`, `+5`, `−5`, `1_000`, `0x1F`, `0b101` or `0o17`;
 * - `tuple`: parentheses, read as a list, or as a group if they contain one value (`(1, 2)` → `[1,2]`);
 * - `repeated_value`: the same value twice, or `{}` before the real object;
 * - `unsafe_number`: an integer that lost digits, a number that became infinite (`1e400`), or an integer beyond 2^53 where the schema
 *   requires an integer.
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
 * Why argument text is refused. The message is written for the model. Fix: return the message to the model. Agents do so automatically.
 *
 * - `truncated`: the text ends inside a value, or the provider reported it as truncated;
 * - `elided`: data was left out (`[1, 2, ...]`);
 * - `missing_value`: a value is missing (`{"a":}`, `[1,,2]`);
 * - `missing_colon`: a key without a value (`{"a"}`);
 * - `missing_comma`: no comma between two members, with more than one possible meaning (`{"a":10"b":2}`);
 * - `multiple_values`: several different values (`{"a":1}{"a":2}`);
 * - `bad_number`: an invalid number: `007`, `1.2.3`, `1/3`, `3kg`;
 * - `not_json_value`: a literal that JSON doesn't have: `NaN`, `Infinity`, `undefined`;
 * - `unquoted_value`: unquoted words, calls or expressions (`now()`, `city=Paris`);
 * - `bad_escape`: an invalid escape (`\u12G4`), one that has another meaning in other languages (`\0`, `\$5`), or white space
 *   that may be part of a key (`{\"a\":1, \nb:2}`); in otherwise invalid JSON also `\b`, `\f`, and `\t` in `C:\temp`;
 * - `unescaped_quote`: an ambiguous quote inside a string, or a comment that may hide members (`// "b": {`);
 * - `bad_key`: an invalid key (`{5}`), or one that starts or ends with a raw control character;
 * - `mismatched_close`: more than one bracket of the wrong kind;
 * - `unexpected_character`: a character that isn't allowed in its position (`{"a":/x/}`);
 * - `trailing_text`: text after the value that may be more than prose (`{"a":1} or {"a":2}`);
 * - `empty`: the text contains only comments. For `recoverJson`, also empty text;
 * - `not_an_object`: valid JSON, but not an object (`[1]`, `5`);
 * - `repeated_key`: a key with two different values, in otherwise invalid JSON (`{a: 1, a: 2}`);
 * - `undeclared_key`: with a schema, an undeclared argument that probably stands for a declared one (`dryRun` for `dry_run`);
 * - `forbidden_key`: a key `__proto__`, or a key `prototype` inside `constructor`;
 * - `too_deep`: nested deeper than `maxDepth` (default: 512);
 * - `too_large`: longer than `maxLength` (default: 16,777,216), or more keys in one object than `maxKeys` (default: 100,000).
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
