/** Generates copies of an expected value, each with one error. A comparator must notice every error. */
import type { TextReading } from '../../src/conformance/dialects/dialect-case.ts'
import type { ExpectedReply } from '../../src/conformance/wire/wire-case.ts'

export interface Mutant<Value = unknown> {
  /** Where the error is. */
  readonly path: string
  readonly value: Value
}

export function* wrongReplies(expected: ExpectedReply): Generator<Mutant<ExpectedReply>> {
  const { error, other_calls: calls, usage, ...rest } = expected
  for (const { path, value } of mutantsOf(usage ? { ...rest, usage } : rest)) {
    const isAsserted = !/^\.(note|usage_raw)/.test(path)
    if (isAsserted) yield { path, value: { ...expected, ...(value as ExpectedReply) } }
  }
  if (usage === null) yield { path: 'usage', value: { ...expected, usage: { input_tokens: 1, output_tokens: 1 } } }
  yield { path: 'error', value: { ...expected, error: error ? { code: 'another' } : { type: 'an_error' } } }
  yield { path: 'other_calls', value: { ...expected, other_calls: [...(calls ?? []), { type: 'another' }] } }
  yield { path: 'another key', value: { ...expected, ...{ another: 1 } } }
}

export function* wrongReadings(expected: TextReading, checked: readonly string[]): Generator<Mutant<TextReading>> {
  const { content, tool_calls: calls = [] } = expected
  if (checked.includes('content')) yield { path: 'content', value: { ...expected, content: `${content ?? ''}~` } }
  if (checked.includes('count')) {
    yield { path: 'count', value: { ...expected, tool_calls: [...calls, { name: 'another', arguments: {} }] } }
    if (calls.length > 0) yield { path: 'count', value: { ...expected, tool_calls: calls.slice(1) } }
  }
  for (const [index, call] of calls.entries()) {
    const replaced = (part: object) => ({ ...expected, tool_calls: calls.with(index, { ...call, ...part }) })
    if (checked.includes('name')) yield { path: `${index}.name`, value: replaced({ name: `${call.name}~` }) }
    if (!checked.includes('arguments')) continue
    for (const { path, value } of mutantsOf(call.arguments, '.arguments')) yield { path, value: replaced({ arguments: value }) }
  }
}

/** Generates a copy for each place in a value, with an error at that place. */
export function wrongValues(expected: unknown): Generator<Mutant> {
  return mutantsOf(expected, '.arguments')
}

/** Changes leaves, lengthens and shortens lists, and adds and removes keys of arguments. */
function* mutantsOf(value: unknown, path = ''): Generator<Mutant> {
  if (Array.isArray(value)) {
    yield { path: `${path} longer`, value: [...value, value[0] ?? {}] }
    if (value.length > 0) yield { path: `${path} shorter`, value: value.slice(1) }
    for (const [index, inner] of value.entries())
      for (const mutant of mutantsOf(inner, `${path}[${index}]`)) yield { ...mutant, value: value.with(index, mutant.value) }
  } else if (typeof value === 'object' && value !== null) {
    if (path.includes('.arguments')) yield { path: `${path} another key`, value: { ...value, another: 1 } }
    for (const [key, inner] of Object.entries(value)) {
      const { [key]: _, ...others } = value as Record<string, unknown>
      if (path.includes('.arguments')) yield { path: `${path} without ${key}`, value: others }
      for (const mutant of mutantsOf(inner, `${path}.${key}`)) yield { ...mutant, value: { ...value, [key]: mutant.value } }
    }
  } else yield { path, value: wrongLeaf(value) }
}

function wrongLeaf(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : `${value ?? ''}~`
}
