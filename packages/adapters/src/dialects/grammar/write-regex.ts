/** Writes a grammar as one regular expression in the syntax that Python, Rust and JavaScript share. Rules are inlined. */
import { type Expression, type Rules, resolveRule, text, times } from './expression.ts'
import { someWithoutRules } from './members.ts'

/**
 * Maximum length of the regular expression, in UTF-16 code units. It may grow with each nesting level, because rules are inlined.
 * Servers refuse expressions that are far shorter.
 */
export const LONGEST_REGEX = 65_536

/**
 * Returns the regular expression. Returns undefined if it would be longer than `LONGEST_REGEX`. `depth` is the depth to which
 * recursive rules are expanded. Below that depth, only alternatives without recursion remain.
 */
export function writeRegex(root: Expression, rules: Rules, depth: number): string | undefined {
  const written = new RegexWriter(rules).write(root, depth)
  return written === TOO_LONG ? undefined : (written ?? NOTHING)
}

const NOTHING = '[^\\s\\S]'
const TOO_LONG = Symbol('too long')

/** The regular expression. Undefined if it would be nested too deeply. */
type Written = string | undefined | typeof TOO_LONG

class RegexWriter {
  readonly #rules: Rules
  /** Results by rule and depth. Limits the work if rules refer to each other in many ways. */
  readonly #written = new Map<string, Written>()

  constructor(rules: Rules) {
    this.#rules = rules
  }

  write(expression: Expression, depth: number): Written {
    switch (expression.kind) {
      case 'text':
        return short(escaped(expression.text))
      case 'set':
        return `[${expression.set}]`
      case 'rule': {
        const last = resolveRule(expression, this.#rules)
        if (!last.mayHoldItself) return this.#rule(last.name, depth)
        return depth === 0 ? undefined : this.#rule(last.name, depth - 1)
      }
      case 'some':
        return this.write(someWithoutRules(expression.of), depth)
      case 'sequence':
        return this.#sequence(expression.parts, depth)
      case 'choice':
        return this.#choice(expression.options, depth)
      case 'repeat': {
        const of = this.write(expression.of, depth)
        if (of === undefined) return expression.min === 0 ? '' : undefined
        if (of === TOO_LONG) return of
        return short(`${isOneAtom(expression.of) ? of : `(?:${of})`}${times(expression.min, expression.max)}`)
      }
    }
  }

  #rule(name: string, depth: number): Written {
    const key = `${depth} ${name}`
    if (!this.#written.has(key)) this.#written.set(key, this.write(this.#rules.get(name) ?? text(''), depth))
    return this.#written.get(key)
  }

  #sequence(parts: readonly Expression[], depth: number): Written {
    let joined = ''
    for (const part of parts) {
      const written = this.write(part, depth)
      if (typeof written !== 'string') return written
      joined += written
      if (joined.length > LONGEST_REGEX) return TOO_LONG
    }
    return joined
  }

  #choice(options: readonly Expression[], depth: number): Written {
    let joined: string | undefined
    for (const option of options) {
      const written = this.write(option, depth)
      if (written === undefined) continue
      if (written === TOO_LONG) return written
      joined = joined === undefined ? written : `${joined}|${written}`
      if (joined.length > LONGEST_REGEX) return TOO_LONG
    }
    return joined === undefined ? undefined : short(`(?:${joined})`)
  }
}

/** Returns true if the expression needs no group before a quantifier. */
function isOneAtom(expression: Expression): boolean {
  return expression.kind === 'set' || expression.kind === 'choice' || (expression.kind === 'text' && expression.text.length === 1)
}

function short(written: string): Written {
  return written.length > LONGEST_REGEX ? TOO_LONG : written
}

function escaped(words: string): string {
  return words
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
}
