/** Finds where a JSON value ends and what it is made of, without reading the values themselves. */

/** Fed one character at a time; says when the first array or object is closed. Linear, no recursion. */
export class JsonScanner {
  #depth = 0
  #inString = false
  #escaped = false

  /** `open` while inside the value, `closed` at its last character, `broken` where no JSON can stand. */
  push(character: string): 'open' | 'closed' | 'broken' {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (character === '\\') this.#escaped = true
      else if (character === '"') this.#inString = false
      return 'open'
    }
    switch (character) {
      case '"':
        this.#inString = true
        return this.#depth === 0 ? 'broken' : 'open'
      case '{':
      case '[':
        this.#depth++
        return 'open'
      case '}':
      case ']':
        this.#depth--
        return this.#depth === 0 ? 'closed' : this.#depth < 0 ? 'broken' : 'open'
      case '<':
        return 'broken'
      default:
        return this.#depth === 0 && !isSpace(character) ? 'broken' : 'open'
    }
  }
}

export interface JsonPart {
  /** The member's name; absent for an array's element. */
  readonly key: string | undefined
  readonly text: string
}

/** The members or elements of a closed JSON text as texts of their own; a member whose name does not read is left out. */
export function partsOf(text: string): readonly JsonPart[] {
  const parts: JsonPart[] = []
  const end = text.length - 1
  let start = 1
  let colon = -1
  let depth = 0
  let inString = false
  for (let index = 1; index <= end; index++) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && index < end) depth--
    else if (character === ':' && depth === 0 && colon < 0) colon = index
    else if (depth === 0 && (character === ',' || index === end)) {
      parts.push(...toPart(text, start, colon, index))
      start = index + 1
      colon = -1
    }
  }
  return parts
}

function toPart(text: string, start: number, colon: number, end: number): JsonPart[] {
  if (text[0] === '[') {
    const element = text.slice(start, end).trim()
    return element === '' ? [] : [{ key: undefined, text: element }]
  }
  const key = colon < 0 ? undefined : readString(text.slice(start, colon))
  return key === undefined ? [] : [{ key, text: text.slice(colon + 1, end).trim() }]
}

/** The value of a JSON string literal; undefined for anything else. */
export function readString(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

export function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
}
