/** Parses the strings of a corpus as arguments, and counts the outcomes. */

import type { StartClock } from '../../start-clock.ts'
import { isContainer, isSameValue } from '../same-value.ts'
import type { Failure } from '../suite.ts'
import { type Answer, type Judgement, judge, LEVELS, type Level, type RecoveryCase, textOf } from './recovery-case.ts'

/** The measured parsers. */
export interface RecoveryReader {
  recoverJson(text: string, options: ReadOptions): Answer
  parseArguments(text: string, options: ReadOptions): Answer
  argumentStream(): { push(delta: string): unknown; snapshot(): unknown }
}

/** Options that the parsers receive with the text. */
export interface ReadOptions {
  readonly complete?: boolean | undefined
}

export interface Reading extends Judgement {
  readonly id: string
  readonly level: Level
  readonly hasThrown: boolean
  readonly ms: number
  readonly isSlow: boolean
  readonly faults: readonly string[]
}

/** Number of correct cases, and total number of cases. */
export type Counts = readonly [right: number, all: number]

export interface RecoveryScore {
  readonly levels: Readonly<Record<Level, Counts>>
  readonly silentWrong: number
  readonly threw: number
  readonly slow: number
  readonly maxMs: number
}

/** Default time limit for a case, in milliseconds. */
const MOST_MS = 50

export function readCase(
  recoveryCase: RecoveryCase,
  read: (text: string, options: ReadOptions) => Answer,
  startClock: StartClock,
): Reading {
  const { id, level, complete, max_ms: mostMs = MOST_MS } = recoveryCase
  const text = textOf(recoveryCase)
  const elapsed = startClock()
  const { answer, thrown } = attempt(() => read(text, { complete }))
  const ms = elapsed()
  const judgement = judge(recoveryCase, answer ?? { ok: false, code: 'threw' })
  const isSlow = ms > mostMs
  const said = thrown === undefined ? judgement.fault : `threw ${thrown}`
  const faults = [...(said === undefined ? [] : [said]), ...(isSlow ? [`slow: ${Math.round(ms)} ms, limit ${mostMs} ms`] : [])]
  return { ...judgement, id, level, hasThrown: thrown !== undefined, ms, isSlow, faults }
}

export function scoreReadings(readings: readonly Reading[]): RecoveryScore {
  const countLevel = (level: Level): Counts => {
    const ofLevel = readings.filter((reading) => reading.level === level)
    return [ofLevel.filter(({ isRight, hasThrown }) => isRight && !hasThrown).length, ofLevel.length]
  }
  return {
    levels: Object.fromEntries(LEVELS.map((level) => [level, countLevel(level)])) as Record<Level, Counts>,
    silentWrong: readings.filter(({ isSilentlyWrong }) => isSilentlyWrong).length,
    threw: readings.filter(({ hasThrown }) => hasThrown).length,
    slow: readings.filter(({ isSlow }) => isSlow).length,
    maxMs: Math.round(Math.max(0, ...readings.map(({ ms }) => ms)) * 10) / 10,
  }
}

/** Counts the partial values that agree with the recorded ones, for texts that are objects. The text is streamed in single UTF-16 units. */
export function scorePartials(
  cases: readonly RecoveryCase[],
  reader: RecoveryReader,
): { readonly partial: Counts; readonly threw: readonly Failure[] } {
  const shown = cases.filter(({ input, partial }) => input !== null && isContainer(partial) && !Array.isArray(partial))
  const read = shown.map(({ id, input, partial }) => ({ id, partial, ...attempt(() => readPartial(input as string, reader)) }))
  return {
    partial: [read.filter(({ answer, partial }) => isSameValue(answer, partial)).length, shown.length],
    threw: read.flatMap(({ id, thrown }) => (thrown === undefined ? [] : [{ id: `${id} (stream)`, why: `threw ${thrown}` }])),
  }
}

function readPartial(text: string, reader: RecoveryReader): unknown {
  const stream = reader.argumentStream()
  for (const unit of text.split('')) stream.push(unit)
  return stream.snapshot()
}

function attempt<Value>(work: () => Value): { readonly answer?: Value; readonly thrown?: unknown } {
  try {
    return { answer: work() }
  } catch (thrown) {
    return { thrown: thrown ?? 'nothing' }
  }
}
