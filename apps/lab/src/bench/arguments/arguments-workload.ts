/** The workloads of the `arguments` bench. A subject must show partial values, and its final value must equal that of `JSON.parse`. */
import { findLoss, isSameValue } from '../../conformance/same-value.ts'
import { assertWork, type Workload } from '../bench.ts'
import { toDeltas } from './arguments-text.ts'

/** Exports of a subject's module. */
export interface ArgumentsSubject {
  /** Parses one stream. Calls `show` with the partial value after each delta. Returns the final value. */
  read(streamed: StreamedText, show: (partial: unknown) => void): unknown
  /** Parses complete text. Returns undefined when it is refused. Absent for a subject that only streams. */
  parse?(text: string): unknown
  /** True only for the baseline, which returns no partial values. */
  readonly showsNothing?: boolean
  /** True if the subject completes text with invented values. Its partial values are then counted but not compared. */
  readonly guesses?: boolean
}

export interface StreamedText {
  readonly deltas: readonly string[]
  /** The joined deltas, for the baseline, which parses only complete text. */
  readonly text: string
}

/** Minimum number of UTF-16 units per run, large enough to make the overhead negligible. */
const LEAST_READ = 16 * 1024

/** The points at which partial values are checked, as fractions of the stream's deltas. */
const LOOKS = [0.25, 0.5, 0.75]
/** Maximum length of streamed text that may be missing from a partial value, such as an incomplete name, number or bracket. */
const NOT_SHOWN_YET = 160

/** Keeps what a subject shows, so that the engine can't leave out creating it. */
const latest: { shown?: unknown } = {}

/** Creates the workload for one input, streamed in small deltas with a partial value after each. */
export function openStream(subject: ArgumentsSubject, text: string): Workload {
  const streamed = { text, deltas: toDeltas(text) }
  const units = unitsOf(text)
  return {
    units,
    async verify() {
      const partials: { readonly read: number; readonly partial: unknown }[] = []
      const looks = LOOKS.map((share) => Math.floor(streamed.deltas.length * share))
      let deltas = 0
      const value = await subject.read(streamed, (partial) => {
        deltas++
        // The subject may change the partial value in place, so a copy is kept.
        if (looks.includes(deltas))
          partials.push({ read: (text.length * deltas) / streamed.deltas.length, partial: copy(partial) })
      })
      const expected: unknown = JSON.parse(text)
      assertWork(isSameValue(value, expected), 'the value differs from that of JSON.parse')
      if (subject.showsNothing) return
      assertShown(deltas, streamed)
      if (subject.guesses) return
      for (const { read, partial } of partials) {
        const shown = JSON.stringify(partial)?.length ?? 0
        assertWork(shown >= read * 0.9 - NOT_SHOWN_YET, `after ${Math.round(read)} characters, it had shown ${shown}`)
        assertWork(findLoss(partial, expected) === undefined, 'it showed values that the text does not contain')
      }
    },
    async run() {
      let deltas = 0
      const show = (partial: unknown) => {
        deltas++
        latest.shown = partial
      }
      for (let left = units; left > 0; left--) await subject.read(streamed, show)
      if (!subject.showsNothing) assertShown(deltas / units, streamed)
    },
  }
}

/** Creates the workload for one complete text. */
export function openWhole({ parse }: ArgumentsSubject, text: string): Workload {
  if (parse === undefined) throw new Error('This subject only streams.')
  const units = unitsOf(text)
  return {
    units,
    async verify() {
      assertWork(isSameValue(parse(text), JSON.parse(text)), 'the value differs from that of JSON.parse')
    },
    async run() {
      for (let left = units; left > 0; left--) if (parse(text) === undefined) throw new Error('Valid text was refused.')
    },
  }
}

/** Creates the workload for pathological text. The parser only has to return; its result isn't checked. */
export function openBomb({ parse }: ArgumentsSubject, text: string): Workload {
  if (parse === undefined) throw new Error('This subject only streams.')
  return { units: 1, verify: async () => void parse(text), run: async () => void parse(text) }
}

function unitsOf(text: string): number {
  return Math.max(1, Math.round(LEAST_READ / text.length))
}

function assertShown(deltas: number, streamed: StreamedText): void {
  assertWork(
    deltas === streamed.deltas.length,
    `it showed partial values ${deltas} times, not after each of ${streamed.deltas.length} deltas`,
  )
}

function copy(partial: unknown): unknown {
  return partial === undefined ? undefined : JSON.parse(JSON.stringify(partial))
}
