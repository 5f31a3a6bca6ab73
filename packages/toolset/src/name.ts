/** How a method's name becomes part of a tool's name, as a type and as a function. */

/** `listKeys` becomes `list_keys`. Tail-recursive by `Done`, or else a name of 50 letters would be too deep. */
export type SnakeCase<Text extends string, Done extends string = ''> = Text extends `${infer Head}${infer Tail}`
  ? Tail extends Uncapitalize<Tail>
    ? SnakeCase<Tail, `${Done}${Lowercase<Head>}`>
    : SnakeCase<Tail, `${Done}${Lowercase<Head>}_`>
  : `${Done}${Text}`

export function toSnakeCase(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}
