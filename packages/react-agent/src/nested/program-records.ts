/** Compares the records of a program with its replay. */
import { changedCall } from '../calls/gone-tool.ts'
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

/** What this execution did. */
export interface Made {
  readonly turn: Turn
  readonly calls: readonly OpenCall[]
  /** The limit that ended the program, e.g. `limits.timeMs`. */
  readonly exceeded?: string | undefined
}

/**
 * Describes the first difference. `recorded` may come from a client. A call that was refused is refused again, whatever its tool is now.
 * Throws `agent_changed` if the tool of a recorded call is gone or has another schema, or if a limit ended the program. An engine then
 * holds the run for the earlier agent.
 */
export function differenceOf(recorded: unknown, { turn: made, calls: open, exceeded }: Made, callId: string): string | undefined {
  const before: Turn = isRecord(recorded) ? recorded : {}
  if (made.isEnd && before.isEnd) return undefined
  const [calls, madeCalls] = [before.calls ?? [], made.calls ?? []]
  for (let index = 0; index < Math.max(calls.length, madeCalls.length); index++) {
    const [was, is] = [calls[index], madeCalls[index]]
    if (was !== undefined && isGone(was, is))
      throw changedCall(callId, `its program made a call to "${was.name}", which it can't call any more. ${NOT_MADE}`)
    if (is === undefined && exceeded !== undefined)
      throw changedCall(callId, `its program exceeded \`${exceeded}\` before it made ${called(was)} again. ${NOT_MADE}`)
    if (is === undefined) return `it ended without ${called(was)}`
    if (was === undefined) return `it made ${called(is)} only now`
    if (was.name !== is.name) return `it made ${called(is)} instead of ${called(was)}`
    if (was.refusal === undefined && (is.refusal?.observation.code as string) === 'tool_unavailable')
      throw new Error(`The tool "${is.name}" of the recorded call "${callId}" could not be loaded. Resume the run again.`, {
        cause: open[index]?.loadError,
      })
    if (was.refusal === undefined && was.version !== is.version)
      throw changedCall(callId, `its program made a call to "${is.name}", whose schema has changed since then. ${NOT_MADE}`)
    if (was.digest !== is.digest) return `the arguments of ${called(is)} have changed`
    if (was.refusal === undefined && is.refusal !== undefined) return `${called(is)} was refused only now`
  }
  return before.after === made.after ? undefined : `it made ${called(madeCalls[0])} after a different result than before`
}

const NOT_MADE = 'Its calls that wait for decisions were not made'

/** Returns true if the program made the recorded call again, and its tool doesn't exist any more. */
function isGone(was: RecordedCall, is: RecordedCall | undefined): boolean {
  return was.name === is?.name && was.refusal === undefined && is.refusal?.observation.code === 'unknown_tool'
}

function called(call: RecordedCall | undefined): string {
  return `the call "${call?.name}"`
}

/** Returns true for a list of call numbers without duplicates, all of them from `calls`. */
export function isOrder(recorded: unknown, calls: readonly OpenCall[]): recorded is readonly number[] {
  if (!Array.isArray(recorded) || new Set(recorded).size < recorded.length) return false
  return recorded.every((n) => calls.some((call) => call.n === n))
}
