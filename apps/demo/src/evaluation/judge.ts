/** Checks if a request was served as expected, and counts its correct calls. */
import { isDeepStrictEqual } from 'node:util'
import type { MadeCall } from '../agent/made-calls.ts'
import type { RequestRecord } from '../agent/session.ts'
import type { DemoRequest, ExpectedCall } from '../domains/domain.ts'

type Judged = Omit<RequestRecord, 'ms'>

/**
 * Returns true if the expected calls were made in order, with the arguments that matter, and the answer contains the expected text. Each
 * call must have succeeded, or failed if the tool must refuse it.
 */
export function isServed(request: DemoRequest, record: Judged): boolean {
  return whyNotServed(request, record) === undefined
}

/** Returns the first problem, or undefined if the request was served. */
export function whyNotServed({ expected, answer = '' }: DemoRequest, record: Judged): string | undefined {
  const { calls } = record
  const wrong = expected.findIndex((call, index) => calls[index] === undefined || !isRight(call, calls[index]))
  if (wrong >= 0) return `call ${wrong + 1} is not as expected`
  if (calls.length > expected.length) return `${calls.length - expected.length} more calls than expected`
  if (!record.answered) return 'there is no answer'
  return record.answer.toLowerCase().includes(answer.toLowerCase()) ? undefined : `the answer does not contain "${answer}"`
}

/** Returns the number of expected calls that were made, in any order. No call counts twice. */
export function countRight(expected: readonly ExpectedCall[], calls: readonly MadeCall[]): number {
  const left = [...calls]
  return expected.filter((call) => {
    const found = left.findIndex((made) => isRight(call, made))
    if (found >= 0) left.splice(found, 1)
    return found >= 0
  }).length
}

function isRight({ tool, args = {}, fails = false }: ExpectedCall, made: MadeCall): boolean {
  if (tool !== made.tool || made.ok === fails) return false
  return Object.entries(args).every(([name, value]) => isSame(value, made.args[name]))
}

/** Compares a value with a model's argument before coercion: `"2"` equals 2. Ignores case, white space, and quotes around text. */
function isSame(expected: unknown, made: unknown): boolean {
  if (isDeepStrictEqual(expected, made)) return true
  if (typeof expected === 'number') return typeof made === 'string' && made.trim() !== '' && Number(made) === expected
  return typeof expected === 'string' && typeof made === 'string' && plain(expected) === plain(made)
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^["'“” ]+|["'“”., ]+$/g, '')
}
