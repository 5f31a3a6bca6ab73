/** Recognizes JSON and Python literals in plain text, for values without a schema. */
import type { RecoveryTag } from '../../../arguments/tags.ts'
import { recoverExactly } from '../../engine/exact-json.ts'

/** Converts a literal to JSON. Returns undefined for any other text. */
export function readLiteral(text: string): string | undefined {
  const trimmed = text.trim()
  if (!MAY_BE_LITERAL.test(trimmed)) return undefined
  try {
    const value: unknown = JSON.parse(trimmed)
    return typeof value === 'number' && !Number.isFinite(value) ? undefined : trimmed
  } catch {
    return readPython(trimmed)
  }
}

const MAY_BE_LITERAL = /^(?:[[{"'-]|\d|true$|false$|null$|True$|False$|None$)/

const OF_PYTHON: readonly RecoveryTag[] = ['single_quotes', 'python_literal', 'trailing_comma', 'tuple', 'bad_escape']

function readPython(text: string): string | undefined {
  const read = recoverExactly(text, { complete: true })
  return read?.tags.every((tag) => OF_PYTHON.includes(tag)) ? read.json : undefined
}
