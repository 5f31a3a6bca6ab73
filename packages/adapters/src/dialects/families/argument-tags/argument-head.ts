/** Parses the text between `<tool_call>` and the first tag: a name, and sometimes arguments such as `a=1 b=2`. */

/** Maximum number of characters to search for a name. */
export const NAME_LIMIT = 1024

/** A line break that the model wrote as a backslash and an n. */
export const LITERAL_LINE_BREAK = '\\n'

export interface ArgumentHead {
  readonly name: string
  readonly pairs: readonly (readonly [key: string, text: string])[]
}

export function readHead(text: string): ArgumentHead {
  let head = text.trim()
  while (head.endsWith(LITERAL_LINE_BREAK)) head = head.slice(0, -LITERAL_LINE_BREAK.length).trimEnd()
  if (head.endsWith(':')) head = head.slice(0, -1).trimEnd()
  const at = head.search(PAIR)
  if (at <= 0) return { name: withoutQuotes(head), pairs: [] }
  const pairs = head
    .slice(at)
    .split(PAIR)
    .filter((pair) => pair.trim() !== '')
  return { name: withoutQuotes(head.slice(0, at).trimEnd()), pairs: pairs.map(toPair) }
}

/** White space that precedes a key and an equals sign. */
const PAIR = /\s(?=[^\s=<>"']+=)/

function toPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at).trim(), withoutQuotes(pair.slice(at + 1).trim())]
}

export function withoutQuotes(text: string): string {
  const quote = text.charAt(0)
  return text.length > 1 && '"\'`'.includes(quote) && text.endsWith(quote) ? text.slice(1, -1) : text
}
