/** Reading arguments as work to be measured: what is shown on the way must be there, and the value must be that of `JSON.parse`. */
import { findLoss, isSameValue } from '../conformance/same-value.ts'
import { toDeltas } from './arguments-text.ts'
import type { Workload } from './bench.ts'

/** What the module of a subject exports. */
export interface ArgumentsSubject {
  /** Reads one text as it streams. What can be shown after each delta is handed to `show`. Gives the value of the whole. */
  read(streamed: StreamedText, show: (partial: unknown) => void): unknown
  /** Reads a whole text; undefined when it is refused. Absent where a subject only streams. */
  parse?(text: string): unknown
  /** The base only: it waits for the end, and shows nothing. */
  readonly showsNothing?: boolean
  /** It repairs an open text in ways that nobody wrote: what it shows on the way is counted, not compared. */
  readonly guesses?: boolean
}

export interface StreamedText {
  readonly deltas: readonly string[]
  /** All of them, for the one that waits for the end. */
  readonly text: string
}

/** So much is read in a run, so that what is around it costs little beside it. */
const LEAST_READ = 16 * 1024

/** Where it is looked at what is shown: the share of the deltas that were read. */
const LOOKS = [0.25, 0.5, 0.75]
/** A name, a number or a bracket that is not shown before it is complete. */
const NOT_SHOWN_YET = 160

/** One text in small deltas, with what can be shown after each. */
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
        // A copy, since it may grow in place.
        if (looks.includes(deltas))
          partials.push({ read: (text.length * deltas) / streamed.deltas.length, partial: copy(partial) })
      })
      const expected: unknown = JSON.parse(text)
      assert(isSameValue(value, expected), 'the value is not that of JSON.parse')
      if (subject.showsNothing) return
      assertShown(deltas, streamed)
      if (subject.guesses) return
      for (const { read, partial } of partials) {
        const shown = JSON.stringify(partial)?.length ?? 0
        assert(shown >= read * 0.9 - NOT_SHOWN_YET, `after ${Math.round(read)} characters it showed ${shown}`)
        assert(findLoss(partial, expected) === undefined, 'it showed what is not in the value')
      }
    },
    async run() {
      let deltas = 0
      const show = () => {
        deltas++
      }
      for (let left = units; left > 0; left--) await subject.read(streamed, show)
      if (!subject.showsNothing) assertShown(deltas / units, streamed)
    },
  }
}

/** One whole text. */
export function openWhole({ parse }: ArgumentsSubject, text: string): Workload {
  if (parse === undefined) throw new Error('This subject only streams.')
  const units = unitsOf(text)
  return {
    units,
    async verify() {
      assert(isSameValue(parse(text), JSON.parse(text)), 'the value is not that of JSON.parse')
    },
    async run() {
      for (let left = units; left > 0; left--) if (parse(text) === undefined) throw new Error('A clean text was refused.')
    },
  }
}

/** A text that need not have a value: an answer is all that is asked for. */
export function openBomb({ parse }: ArgumentsSubject, text: string): Workload {
  if (parse === undefined) throw new Error('This subject only streams.')
  return { units: 1, verify: async () => void parse(text), run: async () => void parse(text) }
}

function unitsOf(text: string): number {
  return Math.max(1, Math.round(LEAST_READ / text.length))
}

function assertShown(deltas: number, streamed: StreamedText): void {
  assert(
    deltas === streamed.deltas.length,
    `it showed something ${deltas} times, not after each of ${streamed.deltas.length} deltas`,
  )
}

function copy(partial: unknown): unknown {
  return partial === undefined ? undefined : JSON.parse(JSON.stringify(partial))
}

function assert(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(`Not the same work: ${problem}.`)
}
