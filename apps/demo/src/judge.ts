/** Says whether a request was served as expected. */
import { isDeepStrictEqual } from 'node:util'
import type { DemoRequest, ExpectedCall } from './domains/domain.ts'
import type { MadeCall, RequestRecord } from './session.ts'

/**
 * True when there is an answer that holds the words it has to, after the same calls in the same order with the arguments that
 * matter. Each call succeeded, or failed where the tool has to refuse.
 */
export function isServed({ expected, answer = '' }: DemoRequest, record: Omit<RequestRecord, 'ms'>): boolean {
  const { calls } = record
  const hasCalls = expected.length === calls.length && expected.every((call, index) => matches(call, calls[index] as MadeCall))
  return hasCalls && record.answered && record.answer.toLowerCase().includes(answer.toLowerCase())
}

function matches({ tool, args = {}, fails = false }: ExpectedCall, made: MadeCall): boolean {
  if (tool !== made.tool || made.ok === fails) return false
  return Object.entries(args).every(([name, value]) => isDeepStrictEqual(made.args[name], value))
}
