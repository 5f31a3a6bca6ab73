/** The `recovery` suite: almost valid JSON, which must be recovered if it is unambiguous, and refused otherwise. */
import { join } from 'node:path'
import { type StartClock, startProcessorClock } from '../../start-clock.ts'
import { assertCase, readJsonFiles } from '../read-cases.ts'
import { CorpusError, type Failure, noCase, type Row, type Suite } from '../suite.ts'
import { LEVELS, type RecoveryCase, toArgumentsCase } from './recovery-case.ts'
import {
  type Counts,
  type Reading,
  type RecoveryReader,
  type RecoveryScore,
  readCase,
  scorePartials,
  scoreReadings,
} from './recovery-score.ts'

/** Minimum share of `may` cases that must be recovered. Any single case may be refused. */
const LEAST_OF_MAY = 0.9

/**
 * Defines the suite. A case passes if its level allows the result. Expectations for `parseArguments` count as separate cases. The share
 * of recovered `may` cases is an additional case. `startClock` measures the time of a case.
 */
export function defineRecoverySuite(reader: RecoveryReader, startClock: StartClock = startProcessorClock): Suite {
  return {
    name: 'recovery',
    folder: 'json-recovery',
    async run(corpus) {
      const cases = readRecoveryCases(corpus)
      if (cases.length === 0) throw noCase('recovery', join(corpus, '*.json'))
      const readings = cases.map((recoveryCase) => readCase(recoveryCase, reader.recoverJson, startClock))
      const above = cases.flatMap((recoveryCase) => toArgumentsCase(recoveryCase) ?? [])
      const aboveReadings = above.map((recoveryCase) => readCase(recoveryCase, reader.parseArguments, startClock))
      const score = scoreReadings([...readings, ...aboveReadings])
      const { levels } = scoreReadings(readings)
      const { levels: argumentLevels } = scoreReadings(aboveReadings)
      const { threw: streamFailures, partial } = scorePartials(cases, reader)
      const [recovered, all] = score.levels.may
      const mayShare = all === 0 ? 1 : recovered / all
      const failures = [
        ...readings.flatMap((reading) => toFailure(reading)),
        ...aboveReadings.flatMap((reading) => toFailure(reading, ' (arguments)')),
      ]
      const shareFailure = mayShare < LEAST_OF_MAY ? [toShareFailure(mayShare, recovered, all)] : []
      const counts = { ...score, threw: score.threw + streamFailures.length }
      const { silentWrong, threw, slow, maxMs } = counts
      return {
        passed: readings.length + aboveReadings.length - failures.length,
        failed: failures.length + streamFailures.length + shareFailure.length,
        skipped: 0,
        metrics: { ...levels, arguments: argumentLevels, mayShare, silentWrong, threw, slow, maxMs, partial },
        failures: [...failures, ...streamFailures, ...shareFailure],
        rows: [...toRows('JSON', levels), ...toRows('arguments', argumentLevels), ...toCountRows(counts, mayShare, partial)],
      }
    },
  }
}

export function readRecoveryCases(corpus: string): readonly RecoveryCase[] {
  return readJsonFiles(corpus).flatMap(({ path, json }) => {
    // Files with other JSON contain no cases.
    if (!Array.isArray(json)) return []
    return json.map((entry) => {
      const recoveryCase = assertCase<RecoveryCase>(entry, ['level', 'input'], path)
      const { id, level, level_args: above = level, input, gen } = recoveryCase
      if (!LEVELS.includes(level) || !LEVELS.includes(above) || (typeof input !== 'string' && !Array.isArray(gen)))
        throw new CorpusError(`${path}: ${id} has no text, or its level is not one of ${LEVELS.join(', ')}.`)
      return recoveryCase
    })
  })
}

function toFailure({ id, faults }: Reading, layer = ''): readonly Failure[] {
  return faults.length === 0 ? [] : [{ id: `${id}${layer}`, why: faults.join('; ') }]
}

function toShareFailure(share: number, passed: number, of: number): Failure {
  // Rounds down, so that a missed goal doesn't look as if it were met.
  const percent = (Math.floor(share * 1000) / 10).toFixed(1)
  return { id: 'may', why: `${passed} of ${of} recovered: ${percent} %, the goal is ${LEAST_OF_MAY * 100} %` }
}

function toRows(layer: string, levels: RecoveryScore['levels']): readonly Row[] {
  return LEVELS.filter((level) => levels[level][1] > 0).map((level) => {
    const [right, of] = levels[level]
    return { what: `${layer}: ${level}`, right, of }
  })
}

function toCountRows({ silentWrong, threw, slow, maxMs }: RecoveryScore, mayShare: number, partial: Counts): readonly Row[] {
  return [
    { what: 'share of may in %', right: Math.floor(mayShare * 1000) / 10 },
    { what: 'silently wrong', right: silentWrong },
    { what: 'threw', right: threw },
    { what: 'slow', right: slow },
    { what: 'slowest in ms', right: maxMs },
    { what: 'partial values that agree', right: partial[0], of: partial[1] },
  ]
}
