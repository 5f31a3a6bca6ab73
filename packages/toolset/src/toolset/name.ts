/** Converts the name of a method to a part of a tool name, in the types and at run time. */

/**
 * Converts a name to snake case: `listKeys` becomes `list_keys`, and `getURLOf` becomes `get_url_of`. For a name without capitals, the
 * compiler doesn't have to read the letters one by one.
 */
export type SnakeCase<Text extends string> = Text extends Lowercase<Text> ? Text : Walk<Text>

/** Reads a name letter by letter. `Done` makes the type tail-recursive. Otherwise, a name with 50 letters would be too deep. */
type Walk<Text extends string, Before extends string = '_', Done extends string = ''> = Text extends `${infer Head}${infer Tail}`
  ? Walk<Tail, Head, `${Done}${Border<Before, Head, Tail>}${Lowercase<Head>}`>
  : Done

/**
 * A new word starts at a capital after a lower-case letter or a digit. If several capitals precede a lower-case letter, it starts at the
 * last of them.
 */
type Border<Before extends string, Head extends string, Tail extends string> =
  Head extends Lowercase<Head>
    ? ''
    : Before extends Lowercase<Before>
      ? Before extends '_'
        ? ''
        : '_'
      : Tail extends `${infer Next}${infer Rest}`
        ? Next extends Uppercase<Next>
          ? ''
          : Suffix<Head, Next, Rest>
        : ''

/**
 * The exceptions: no new word starts before the `s` of a plural (`URLs`, but not `HTMLAsText`), or before the `v` of a version (`IPv4`).
 */
type Suffix<Head extends string, Next extends string, Rest extends string> = Next extends 's'
  ? Rest extends ''
    ? ''
    : Head extends 'A'
      ? '_'
      : Rest extends `${infer After}${string}`
        ? After extends Uppercase<After>
          ? ''
          : '_'
        : '_'
  : Next extends 'v'
    ? Rest extends `${Digit}${string}`
      ? ''
      : '_'
    : '_'

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

export function toSnakeCase(name: string): string {
  return name.replace(BORDER, (letter) => `_${letter}`).toLowerCase()
}

const BORDER = /(?<=[a-z0-9])[A-Z]|(?<=[A-Z])(?!As$|[B-Z]s(?![a-z])|[A-Z]v\d)[A-Z](?=[a-z])/g
