/** Converts a method's name to its part of a tool name, as a type and as a function. */

/**
 * `listKeys` becomes `list_keys`, `getURLOf` becomes `get_url_of`. A name without capitals is returned without walking its
 * letters.
 */
export type SnakeCase<Text extends string> = Text extends Lowercase<Text> ? Text : Walk<Text>

/** Tail-recursive through `Done`; otherwise a name of 50 letters would be too deep. */
type Walk<Text extends string, Before extends string = '_', Done extends string = ''> = Text extends `${infer Head}${infer Tail}`
  ? Walk<Tail, Head, `${Done}${Border<Before, Head, Tail>}${Lowercase<Head>}`>
  : Done

/** A word begins at a capital after a lower-case letter or a digit, and at the last of several capitals before a lower-case letter. */
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

/** No word begins before the `s` of a plural (`URLs`, but not `HTMLAsText`) or the `v` of a version (`IPv4`). */
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
