/** Compares the records of a program with its replay. */
import { isRecord } from '../json.ts'
import type { OpenCall, RecordedCall } from './open-call.ts'

/** The calls that the program made after it had received `after` results, or the end of the program. */
export interface Turn {
  readonly after?: number | undefined
  readonly calls?: readonly RecordedCall[] | undefined
  /** Maximum number of calls that run in parallel until the next record. */
  readonly limit?: number | undefined
  readonly isEnd?: boolean | undefined
}

/** Describes the first difference. `recorded` may come from a client. */
export function differenceOf(recorded: unknown, made: Turn): string | undefined {
  const before: Turn = isRecord(recorded) ? recorded : {}
  if (made.isEnd && before.isEnd) return undefined
  const [calls, madeCalls] = [before.calls ?? [], made.calls ?? []]
  for (let index = 0; index < Math.max(calls.length, madeCalls.length); index++) {
    const [was, is] = [calls[index], madeCalls[index]]
    if (is === undefined) return `it ended without ${called(was)}`
    if (was === undefined) return `it made ${called(is)} only now`
    if (was.name !== is.name) return `it made ${called(is)} instead of ${called(was)}`
    if (was.version !== is.version) return `the schema of the tool "${is.name}" has changed`
    if (was.digest !== is.digest) return `the arguments of ${called(is)} have changed`
    if (!was.refusal !== !is.refusal) return `${called(is)} was refused in only one of them`
  }
  return before.after === made.after ? undefined : `it made ${called(madeCalls[0])} after a different result than before`
}

function called(call: RecordedCall | undefined): string {
  return `the call "${call?.name}"`
}

/** Returns true for a list of call numbers without duplicates, all of them from `calls`. */
export function isOrder(recorded: unknown, calls: readonly OpenCall[]): recorded is readonly number[] {
  if (!Array.isArray(recorded) || new Set(recorded).size < recorded.length) return false
  return recorded.every((n) => calls.some((call) => call.n === n))
}
