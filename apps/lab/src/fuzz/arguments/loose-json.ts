/** Writes a value as invalid but unambiguous JSON, with mistakes that models typically make. Judges where JSON was truncated. */
import type { Random } from '../random.ts'

/** Mistakes that leave the value unambiguous. Each input has up to three of them. */
export const MISTAKES = [
  'fence',
  'marker',
  'mark of order',
  'odd space',
  'comment',
  'trailing comma',
  'single quotes',
  'smart quotes',
  'bare keys',
  'Python',
  'words before',
  'words after',
  'semicolon',
  'extra close',
  'raw control',
  'missing close',
] as const

export type Mistake = (typeof MISTAKES)[number]

/** Writes the value, an object or a list, with these mistakes. */
export function writeLoosely(value: unknown, mistakes: ReadonlySet<Mistake>, random: Random): string {
  const { text, isClosed } = new LooseWriter(mistakes, random).write(value)
  if (!isClosed) return text
  const before = mistakes.has('words before') ? random.pick(['Here it is: ', 'Sure!\n', 'The arguments are ']) : ''
  const end = [
    mistakes.has('extra close') ? random.pick(['}', ']}', '}}']) : '',
    mistakes.has('semicolon') ? ';' : '',
    mistakes.has('marker') ? random.pick(['</tool_call>', '<|im_end|>', '<|eot_id|>', '</s>']) : '',
    mistakes.has('words after') ? random.pick([' Done.', '\nI hope that helps', '\n\nShall I go on?']) : '',
  ].join('')
  const whole = mistakes.has('fence') ? `\`\`\`${random.pick(['json', '', 'JSON'])}\n${text}\n\`\`\`` : text
  return `${mistakes.has('mark of order') ? '\ufeff' : ''}${before}${whole}${end}`
}

class LooseWriter {
  readonly #mistakes: ReadonlySet<Mistake>
  readonly #random: Random

  constructor(mistakes: ReadonlySet<Mistake>, random: Random) {
    this.#mistakes = mistakes
    this.#random = random
  }

  /** Writes the value. `isClosed` is false if brackets at the end were left out. */
  write(value: unknown): { readonly text: string; readonly isClosed: boolean } {
    const text = this.#value(value)
    // Brackets after a number are kept. Without them, it isn't known whether the number is complete.
    const [, start, brackets] = /^([\s\S]*?["\]}el])(\s*[\]}][\]}\s]*)$/.exec(text) ?? []
    if (!this.#mistakes.has('missing close') || start === undefined || brackets === undefined) return { text, isClosed: true }
    return { text: start + brackets.slice(0, this.#random.below(brackets.trimEnd().length)), isClosed: false }
  }

  #value(value: unknown): string {
    if (typeof value === 'string') return this.#text(value)
    if (Array.isArray(value))
      return this.#members(
        '[',
        ']',
        value.map((item) => this.#value(item)),
      )
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).map(
        ([key, inner]) => `${this.#key(key)}${this.#space()}:${this.#space()}${this.#value(inner)}`,
      )
      return this.#members('{', '}', members)
    }
    if (this.#mistakes.has('Python') && typeof value !== 'number')
      return { true: 'True', false: 'False' }[String(value)] ?? 'None'
    return Object.is(value, -0) ? '-0' : JSON.stringify(value)
  }

  #members(open: string, close: string, members: readonly string[]): string {
    const spaced = members.map((member) => `${this.#space()}${member}${this.#space()}`)
    const end = this.#mistakes.has('trailing comma') && members.length > 0 ? `,${this.#space()}` : ''
    return `${open}${spaced.join(',')}${end}${close}`
  }

  #key(key: string): string {
    const isBare = /^[A-Za-z_]\w*$/.test(key) && !/^(?:true|false|null|none)$/i.test(key)
    return this.#mistakes.has('bare keys') && isBare ? key : this.#text(key)
  }

  #text(value: string): string {
    const json = JSON.stringify(value)
    const inside = this.#mistakes.has('raw control') ? json.slice(1, -1).replace(/\\\\|\\[nt]/g, toRaw) : json.slice(1, -1)
    const hasQuotes = /["'`´“”„‘’«»]/.test(value)
    if (this.#mistakes.has('smart quotes') && !hasQuotes) return `“${inside}”`
    if (!this.#mistakes.has('single quotes')) return `"${inside}"`
    return `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  }

  #space(): string {
    if (this.#mistakes.has('comment') && this.#random.chance(0.2))
      return this.#random.pick(['/* a, "b": { */', '// it is here, }\n', '# so far\n', '/* as asked */', '/**/'])
    if (this.#mistakes.has('odd space') && this.#random.chance(0.3))
      return this.#random.pick(['\u00a0', '\u3000', '\ufeff', '\u2003'])
    return this.#random.chance(0.15) ? this.#random.pick([' ', '\n  ', '\t']) : ''
  }
}

function toRaw(escaped: string): string {
  return { '\\n': '\n', '\\t': '\t' }[escaped] ?? escaped
}

/**
 * Judges the JSON text of an object or a list, truncated to this length. Returns `inside` if the text ends inside a value, and `between` if
 * all values are complete.
 */
export function judgeCut(json: string, length: number): 'inside' | 'between' {
  const open: ('{' | '[')[] = []
  let isKey = false
  let isKeyNext = false
  for (let index = 0; index < length; index++) {
    const unit = json[index] as string
    if (unit === '"') {
      isKey = isKeyNext
      for (index++; index < length && json[index] !== '"'; index++) if (json[index] === '\\') index++
      if (index >= length) return 'inside'
    } else if (unit === '{' || unit === '[') {
      open.push(unit)
      isKeyNext = unit === '{'
    } else if (unit === '}' || unit === ']') open.pop()
    else if (unit === ':') isKeyNext = false
    else if (unit === ',') isKeyNext = open.at(-1) === '{'
  }
  const read = json.slice(0, length)
  const end = read.trimEnd()
  if (end.endsWith('"')) return isKey ? 'inside' : 'between'
  if (/[\]}]$/.test(end) || /(?:^|[^a-z])(?:true|false|null)$/.test(end)) return 'between'
  return /\d$/.test(end) && end.length < read.length ? 'between' : 'inside'
}
