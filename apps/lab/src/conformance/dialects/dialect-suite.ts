/** The `dialects` suite: text from open models, parsed by our dialects as a whole and in chunks. */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { collectDeltas } from '@x/adapters'
import type { Dialect, DialectReading, ParserOptions } from '@x/adapters/dialects'
import type { BFCLCase } from '../bfcl/bfcl-case.ts'
import { importBFCLChecker, readBFCLCases, readBFCLFunctions } from '../bfcl/bfcl-files.ts'
import { assertCase, readJsonFiles } from '../read-cases.ts'
import { noCase, type Row, type Suite, type SuiteResult } from '../suite.ts'
import { count, countAll, failuresOf, mapGroups, type Outcome, type Verdict } from '../verdict.ts'
import { checkWritten, trueTurns, type WrittenVerdict } from './dialect-bfcl.ts'
import { compareText, type DialectCase, toToolSpec } from './dialect-case.ts'
import { type PeerScore, scorePeer } from './dialect-peer.ts'

export function defineDialectSuite(dialects: readonly Dialect[]): Suite {
  return {
    name: 'dialects',
    folder: 'dialects',
    async run(corpus) {
      const turns = readBFCLCases(corpus)
      if (turns.length > 0) return summarizeWritten(await writeAll(turns, corpus, dialects))
      const cases = readDialectCases(corpus)
      if (cases.length === 0) throw noCase('dialect', join(corpus, '*.json'))
      const result = summarize(cases.map((dialectCase) => checkDialectCase(dialectCase, dialects)))
      const peer = { '@ai-sdk-tool/parser': await scorePeer(cases) }
      return { ...result, metrics: { ...result.metrics, peer }, rows: withPeer(result.rows, peer['@ai-sdk-tool/parser']) }
    },
  }
}

async function writeAll(
  cases: readonly BFCLCase[],
  corpus: string,
  dialects: readonly Dialect[],
): Promise<readonly WrittenVerdict[]> {
  const turns = trueTurns(cases, readBFCLFunctions(corpus))
  const checker = await importBFCLChecker(corpus)
  return dialects.flatMap((dialect) => turns.map((turn) => checkWritten(turn, dialect, checker)))
}

function summarizeWritten(verdicts: readonly WrittenVerdict[]): SuiteResult {
  const byDialect = mapGroups(verdicts, (of) => {
    const refused = [...new Set(of.flatMap(({ refused: code }) => code ?? []))]
    return {
      ...countAll(of),
      refused: Object.fromEntries(refused.map((code) => [code, of.filter((one) => one.refused === code).length])),
    }
  })
  const rows = Object.entries(byDialect).map(([dialect, { refused, ...counts }]) => {
    return {
      dialect,
      ...counts,
      refused: Object.entries(refused)
        .map(([code, times]) => `${code} ${times}`)
        .join(', '),
    }
  })
  return { ...countAll(verdicts), metrics: { dialects: byDialect }, failures: failuresOf(verdicts), rows }
}

/** Adds the number of cases that the peer parses as expected, as a whole and streamed. */
function withPeer(rows: readonly Row[], scores: Readonly<Record<string, PeerScore>>): readonly Row[] {
  return rows.map((row) => {
    const score = scores[String(row.dialect)]
    return { ...row, 'ai-sdk-tool/parser': score === undefined ? '' : `${score.passed} / ${score.streamed.passed}` }
  })
}

/** The verdict on a case. `outcome` is `failed` if either the whole text or a stream was parsed wrongly. */
export interface DialectVerdict extends Verdict {
  readonly whole: Outcome
  /** The outcome for streamed text. Each stream must be parsed as expected, and like the whole text. */
  readonly streamed: Outcome
}

export function readDialectCases(corpus: string): readonly DialectCase[] {
  return readJsonFiles(corpus).flatMap(({ name: dialect, path, json }) => {
    // Files with other JSON contain no cases.
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
    const options = optionsOf(dialectCase)
    const response = dialect.parse(text, options)
    const wrong = compareText(response, dialectCase)
    const cuttings = { 'its own chunks': chunks ?? [text], 'one unit at a time': text.split(''), 'one chunk': [text] }
    const different = Object.entries(cuttings)
      .filter(([, pieces]) => !isDeepStrictEqual(readPieces(dialect, pieces, options), response))
      .map(([cutting]) => `streamed: ${cutting} reads differently`)
    const right = checked.length === 0 ? 'vacuous' : 'passed'
    const outcomeOf = (faults: readonly string[]): Outcome => (faults.length === 0 ? right : 'failed')
    const faults = [...wrong, ...different]
    return { id, group, outcome: outcomeOf(faults), whole: outcomeOf(wrong), streamed: outcomeOf(faults), faults }
  } catch (error) {
    return { id, group, outcome: 'failed', whole: 'failed', streamed: 'failed', faults: [`threw ${error}`] }
  }
}

/** Returns true if the case needs integers that a JavaScript number can't represent. */
function needsLosslessNumbers({ id, tags = [] }: DialectCase): boolean {
  return [id, ...tags].some((word) => word.includes('big_int'))
}

/** Returns the parser options of a case: its tools, and whether its text starts inside reasoning. */
export function optionsOf({ tools, tags = [] }: DialectCase): ParserOptions {
  return {
    ...(tools && { tools: tools.map(toToolSpec) }),
    ...(tags.includes('open-reasoning') && { startsInReasoning: true }),
  }
}

/** Parses the text as a stream of these chunks. */
export function readPieces(dialect: Dialect, pieces: readonly string[], options: ParserOptions): DialectReading {
  const parser = dialect.streamParser(options)
  const deltas = pieces.flatMap((piece) => [...parser.push(piece)])
  const { text, ...response } = collectDeltas([...deltas, ...parser.end()])
  return { text: text.trim(), ...response }
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
  const metrics = { dialects: byDialect, vacuous: count(verdicts, 'vacuous'), goals: goalsOf(verdicts) }
  return { ...countAll(verdicts), metrics, failures: failuresOf(verdicts), rows }
}

/** Returns the goals for the non-vacuous cases: the whole text is parsed as expected, and chunk boundaries don't change the result. */
function goalsOf(verdicts: readonly DialectVerdict[]): readonly object[] {
  const judged = verdicts.filter(({ whole }) => whole === 'passed' || whole === 'failed')
  const share = (isRight: (verdict: DialectVerdict) => boolean) => judged.filter(isRight).length / Math.max(1, judged.length)
  const whole = share((verdict) => verdict.whole === 'passed')
  const same = share(({ faults }) => !faults.some((fault) => fault.startsWith('streamed')))
  return [
    { name: 'whole', goal: 0.98, measured: whole, met: whole >= 0.98 },
    { name: 'four ways agree', goal: 1, measured: same, met: same === 1 },
  ]
}
