/** Bare text of which no schema says anything: JSON, or a literal as Python writes it. */
import { recoverJson } from '../../arguments/recover.ts'
import type { RecoveryTag } from '../../arguments/tags.ts'

/** Its JSON; undefined for text that is only text. */
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
  const read = recoverJson(text, { complete: true })
  return read.ok && read.tags.every((tag) => OF_PYTHON.includes(tag)) ? JSON.stringify(read.value) : undefined
}
