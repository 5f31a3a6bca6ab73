/** Undecoded stream bodies: the reader of `@x/lm` finds the same events, however the bytes are cut. */
import { isDeepStrictEqual } from 'node:util'
import { CUTTINGS, cutBytes, readEvents } from './sse-cuts.ts'
import type { Verdict } from './verdict.ts'

export interface RawBody {
  readonly id: string
  readonly framing: string
  readonly events: number
  readonly body?: string
}

export interface RawVerdict extends Verdict {
  /** The numbers of events that were found, over all cuttings. */
  readonly counted: readonly number[]
}

/** Bodies that are no server-sent events have no reader yet. */
export async function checkRawBody({ id, framing, events: expected, body = '' }: RawBody): Promise<RawVerdict> {
  if (framing !== 'sse') return { id, group: framing, outcome: 'skipped', faults: [], counted: [] }
  const bytes = new TextEncoder().encode(body)
  try {
    const whole = await readEvents([bytes])
    const counted = new Set([whole.length])
    let areSame = true
    for (let cutting = 0; cutting < CUTTINGS; cutting++) {
      const events = await readEvents(cutBytes(bytes, cutting))
      counted.add(events.length)
      areSame &&= isDeepStrictEqual(events, whole)
    }
    const faults = [
      ...(counted.size > 1 || !counted.has(expected) ? [`events: expected ${expected}, found ${[...counted].join(' or ')}`] : []),
      ...(areSame ? [] : ['events: they depend on where the bytes are cut']),
    ]
    return { id, group: framing, outcome: faults.length === 0 ? 'passed' : 'failed', faults, counted: [...counted] }
  } catch (error) {
    return { id, group: framing, outcome: 'failed', faults: [`threw ${error}`], counted: [] }
  }
}
