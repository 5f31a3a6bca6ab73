/** Checks undecoded stream bodies. `@x/lm` must find the same events wherever the bytes are split. */
import { isDeepStrictEqual } from 'node:util'
import type { Framing } from '@x/adapters/wire'
import type { Verdict } from '../verdict.ts'
import { CUTTINGS, cutBytes } from './cuttings.ts'
import { readEvents } from './framed-events.ts'

export interface RawBody {
  readonly id: string
  readonly framing: string
  readonly events: number
  readonly body?: string
  /** The body in Base64, used instead of `body` if the body isn't text. */
  readonly body_base64?: string
}

export interface RawVerdict extends Verdict {
  /** Numbers of events that were found, without duplicates. There is more than one if the number depends on where the bytes are split. */
  readonly counted: readonly number[]
}

/** Our framings, keyed by their names in the corpora. */
const FRAMINGS: ReadonlyMap<string, Framing> = new Map([
  ['sse', 'sse'],
  ['ndjson', 'ndjson'],
  ['aws-eventstream', 'aws-event-stream'],
])

/** Checks one body. Skips it if the framing isn't supported. */
export async function checkRawBody(
  { id, framing: group, events: expected, body, body_base64 }: RawBody,
  cuttings = CUTTINGS,
): Promise<RawVerdict> {
  const framing = FRAMINGS.get(group)
  if (framing === undefined) return { id, group, outcome: 'skipped', faults: [], counted: [] }
  const bytes = body === undefined ? new Uint8Array(Buffer.from(body_base64 ?? '', 'base64')) : new TextEncoder().encode(body)
  try {
    const whole = await readEvents([bytes], framing)
    const counted = new Set([whole.length])
    let areSame = true
    for (let cutting = 0; cutting < cuttings; cutting++) {
      const events = await readEvents(cutBytes(bytes, cutting), framing)
      counted.add(events.length)
      areSame &&= isDeepStrictEqual(events, whole)
    }
    const faults = [
      ...(counted.size > 1 || !counted.has(expected) ? [`events: expected ${expected}, found ${[...counted].join(' or ')}`] : []),
      ...(areSame ? [] : ['the events depend on where the bytes are split']),
    ]
    return { id, group, outcome: faults.length === 0 ? 'passed' : 'failed', faults, counted: [...counted] }
  } catch (error) {
    return { id, group, outcome: 'failed', faults: [`threw ${error}`], counted: [] }
  }
}
