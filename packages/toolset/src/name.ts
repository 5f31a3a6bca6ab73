/** How a method's name becomes part of a tool's name, as a type and as a function. */

/** `listKeys` becomes `list_keys`; a name without capitals is told at once, since to walk through its letters costs more. */
export type SnakeCase<Text extends string> = Text extends Lowercase<Text> ? Text : Walk<Text>

/** Tail-recursive by `Done`, or else a name of 50 letters would be too deep. */
type Walk<Text extends string, Done extends string = ''> = Text extends `${infer Head}${infer Tail}`
  ? Tail extends Uncapitalize<Tail>
    ? Walk<Tail, `${Done}${Lowercase<Head>}`>
    : Walk<Tail, `${Done}${Lowercase<Head>}_`>
  : `${Done}${Text}`

export function toSnakeCase(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}
