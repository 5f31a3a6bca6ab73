/** The suite `dialects`: text of open models, read by our dialects whole and in pieces. */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { collectDeltas, type LMResponse } from '@x/adapters'
import type { Dialect } from '@x/adapters/dialects'
import { compareText, type DialectCase } from './dialect-case.ts'
import { assertCase, readJsonFiles } from './read-cases.ts'
import { noCase, type Suite, type SuiteResult } from './suite.ts'
import { count, countAll, failuresOf, mapGroups, type Outcome, type Verdict } from './verdict.ts'

export function defineDialectSuite(dialects: readonly Dialect[]): Suite {
  return {
    name: 'dialects',
    folder: 'dialects',
    async run(corpus) {
      const cases = readDialectCases(corpus)
      if (cases.length === 0) throw noCase('dialect', join(corpus, '*.json'))
      return summarize(cases.map((dialectCase) => checkDialectCase(dialectCase, dialects)))
    },
  }
}

/** `outcome` is `failed` when either of the two is. */
export interface DialectVerdict extends Verdict {
  readonly whole: Outcome
  /** In pieces: as expected, and the same as whole. */
  readonly streamed: Outcome
}

export function readDialectCases(corpus: string): readonly DialectCase[] {
  return readJsonFiles(corpus).flatMap(({ name: dialect, path, json }) => {
    // What is no list holds no cases.
    if (!Array.isArray(json)) return []
    return json.map((entry) => ({ ...assertCase<DialectCase>(entry, ['text', 'expected', 'checked'], path), dialect }))
  })
}

export function checkDialectCase(dialectCase: DialectCase, dialects: readonly Dialect[]): DialectVerdict {
  const { id, dialect: group, text, chunks, checked } = dialectCase
  const dialect = dialects.find(({ name }) => name === group)
  if (dialect === undefined || needsLosslessNumbers(dialectCase))
    return { id, group, outcome: 'skipped', whole: 'skipped', streamed: 'skipped', faults: [] }
  try {
    const response = readPieces(dialect, [text])
    const wrong = compareText(response, dialectCase)
    const cuttings = { chunks: chunks ?? [text], 'one unit at a time': text.split('') }
    const different = Object.entries(cuttings)
      .filter(([, pieces]) => !isDeepStrictEqual(readPieces(dialect, pieces), response))
      .map(([cutting]) => `streamed: ${cutting} reads differently`)
    const right = checked.length === 0 ? 'vacuous' : 'passed'
    const outcomeOf = (faults: readonly string[]): Outcome => (faults.length === 0 ? right : 'failed')
    const faults = [...wrong, ...different]
    return { id, group, outcome: outcomeOf(faults), whole: outcomeOf(wrong), streamed: outcomeOf(faults), faults }
  } catch (error) {
    return { id, group, outcome: 'failed', whole: 'failed', streamed: 'failed', faults: [`threw ${error}`] }
  }
}

/** Integers that a JavaScript number cannot hold. */
function needsLosslessNumbers({ id, tags = [] }: DialectCase): boolean {
  return [id, ...tags].some((word) => word.includes('big_int'))
}

/** Our parsers are told neither which tools there are nor that a text begins inside reasoning: those cases run like the others. */
export function readPieces(dialect: Dialect, pieces: readonly string[]): LMResponse {
  const parser = dialect.parser()
  const deltas = pieces.flatMap((piece) => [...parser.push(piece)])
  return collectDeltas([...deltas, ...parser.end()])
}

function summarize(verdicts: readonly DialectVerdict[]): SuiteResult {
  const byDialect = mapGroups(verdicts, (of) => {
    const { passed, failed } = countAll(of.map((verdict) => ({ ...verdict, outcome: verdict.whole })))
    const streamed = countAll(of.map((verdict) => ({ ...verdict, outcome: verdict.streamed })))
    return {
      passed,
      failed,
      streamed: { passed: streamed.passed, failed: streamed.failed },
      vacuous: count(of, 'vacuous'),
      skipped: count(of, 'skipped'),
    }
  })
  const here = Object.entries(byDialect).filter(([, { passed, failed, vacuous }]) => passed + failed + vacuous > 0)
  const rows = here.map(([dialect, { streamed, vacuous, skipped, ...whole }]) => ({
    dialect,
    ...whole,
    'streamed passed': streamed.passed,
    'streamed failed': streamed.failed,
    vacuous,
    skipped,
  }))
  const metrics = { dialects: byDialect, vacuous: count(verdicts, 'vacuous') }
  return { ...countAll(verdicts), metrics, failures: failuresOf(verdicts), rows }
}
