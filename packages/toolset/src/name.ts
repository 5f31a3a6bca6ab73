/** How a method's name becomes part of a tool's name, as a type and as a function. */

/** `listKeys` becomes `list_keys`. */
export type SnakeCase<Text extends string> = Text extends `${infer Head}${infer Tail}`
  ? Tail extends Uncapitalize<Tail>
    ? `${Lowercase<Head>}${SnakeCase<Tail>}`
    : `${Lowercase<Head>}_${SnakeCase<Tail>}`
  : Text

export function toSnakeCase(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}
