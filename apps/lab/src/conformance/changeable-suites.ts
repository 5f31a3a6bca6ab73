/** The cases of every suite, with their expected values and the suite's comparator. */
import { join } from 'node:path'
import { parseArguments, recoverJson } from '@x/adapters/arguments'
import { plannerLM } from 'demo/planner'
import { corpusPath } from '../corpora.ts'
import { DIALECTS } from '../dialects/dialects.ts'
import { WIRES } from '../wires.ts'
import { importBFCLChecker, readBFCLCases, readBFCLFunctions } from './bfcl/bfcl-files.ts'
import { checkBFCLCase } from './bfcl/bfcl-suite.ts'
import type { ChangeableCase, ChangeableSuite } from './changed-values.ts'
import { compareText } from './dialects/dialect-case.ts'
import { checkDialectCase, optionsOf, readDialectCases } from './dialects/dialect-suite.ts'
import { NOT_COMPARED } from './not-compared.ts'
import { readJsonFiles } from './read-cases.ts'
import { judge, type Level, type RecoveryCase, textOf, toArgumentsCase } from './recovery/recovery-case.ts'
import { readRecoveryCases } from './recovery/recovery-suite.ts'
import { createRegistryRanking } from './retrieval/retrieval-ranking.ts'
import { type Ranking, scoreRanking } from './retrieval/retrieval-score.ts'
import { readRetrievalSets } from './retrieval/retrieval-set.ts'
import { readShapingRows, toShapingRequest } from './shaping/shaping-case.ts'
import { checkCase } from './shaping/shaping-suite.ts'
import { SHAPING_TARGETS } from './shaping/shaping-targets.ts'
import { checkRawBody, type RawBody } from './wire/raw-body.ts'
import { checkWireCase, readWireCases } from './wire/wire-suite.ts'

export const CHANGEABLE_SUITES: readonly ChangeableSuite[] = [
  { name: 'wire', read: readWire, exact: /\/arguments(?:\/|$)/, notCompared: NOT_COMPARED.wire },
  { name: 'shaping', read: readShaping, notCompared: NOT_COMPARED.shaping },
  { name: 'dialects', read: readDialects, exact: /\/arguments(?:\/|$)/, notCompared: NOT_COMPARED.dialects },
  // Every accepted value of an argument is correct, so all of them are changed together.
  { name: 'bfcl', read: readBFCL, whole: /^\/ground_truth\/\d+\/args\/[^/]+$/, notCompared: NOT_COMPARED.bfcl },
  { name: 'retrieval', read: readRetrieval, notCompared: NOT_COMPARED.retrieval },
  { name: 'recovery', read: readRecovery, exact: /^\/expected/, notCompared: NOT_COMPARED.recovery },
]

/** Returns a copy with only the listed keys. */
function pick(one: object, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(one).filter(([key]) => keys.includes(key)))
}

function readWire(): readonly ChangeableCase[] {
  const cases = readWireCases(corpusPath('wire')).map((one) => ({
    id: one.id,
    expected: pick(one, ['expected']),
    fails: async (changed: object) => (await checkWireCase({ ...one, ...changed }, WIRES, 0)).outcome !== 'passed',
  }))
  const bodies = readJsonFiles(join(corpusPath('wire'), 'raw')).map(({ json }) => {
    const body = json as RawBody
    const fails = async (changed: object) => (await checkRawBody({ ...body, ...changed }, 0)).outcome !== 'passed'
    return { id: body.id, expected: pick(body, ['events']), fails }
  })
  return [...cases, ...bodies]
}

function readShaping(): readonly ChangeableCase[] {
  return readShapingRows(join(corpusPath('wire'), 'requests.json')).map((row) => ({
    id: String(row.id),
    expected: pick(row, ['expected_parameters', 'expected_error', 'wire_name']),
    fails: (changed: object) =>
      checkCase(toShapingRequest({ ...row, ...changed }), SHAPING_TARGETS).some(({ outcome }) => outcome !== 'passed'),
  }))
}

/** Reads the dialect cases. If a case allows several readings, keeps only the one that the parser returns. */
function readDialects(): readonly ChangeableCase[] {
  return readDialectCases(corpusPath('dialects')).flatMap((one) => {
    const dialect = DIALECTS.find(({ name }) => name === one.dialect)
    if (dialect === undefined || one.checked.length === 0) return []
    const readings = [one.expected, ...(one.alternatives ?? [])]
    const response = dialect.parse(one.text, optionsOf(one))
    const found = readings.find((expected) => compareText(response, { ...one, expected, alternatives: [] }).length === 0)
    const fails = (expected: object) => checkDialectCase({ ...one, expected, alternatives: [] }, DIALECTS).outcome !== 'passed'
    return [{ id: one.id, expected: { ...(found ?? one.expected) }, checked: one.checked, fails }]
  })
}

async function readBFCL(): Promise<readonly ChangeableCase[]> {
  const corpus = corpusPath('bfcl')
  const cases = readBFCLCases(corpus)
  if (cases.length === 0) return []
  const functions = readBFCLFunctions(corpus)
  const checker = await importBFCLChecker(corpus)
  const lm = plannerLM()
  return cases.map((one) => {
    let answer: ReturnType<typeof lm.generate> | undefined
    const answered = { generate: (request: Parameters<typeof lm.generate>[0]) => (answer ??= lm.generate(request)) }
    return {
      id: one.id,
      expected: pick(one, one.expect === 'calls' ? ['expect', 'ground_truth'] : ['expect']),
      others: { '/expect': one.expect === 'no_call' ? ['calls', 'some_call'] : ['no_call'] },
      fails: async (changed) => (await checkBFCLCase({ ...one, ...changed }, functions, checker, answered)).outcome !== 'passed',
    }
  })
}

/**
 * Reads the questions as cases. A question alone has no verdict, so a change counts as noticed if it alters the question's figures. A
 * question for which not all tools are found counts as failing, so it isn't sampled.
 */
function readRetrieval(): readonly ChangeableCase[] {
  return readRetrievalSets(corpusPath('.')).flatMap((set) => {
    let made: Ranking | undefined
    const rank: Ranking = (text, limit) => {
      made ??= createRegistryRanking(set.tools)
      return made(text, limit)
    }
    const scoreOf = (text: string, needed: readonly unknown[]) => {
      const question = { id: '', text, needed: new Set(needed as readonly string[]) }
      const { p50us: _, p95us: __, ...figures } = scoreRanking({ ...set, questions: [question] }, () => rank)
      return figures
    }
    return set.questions.map(({ id, text, needed }) => ({
      id,
      expected: { needed: [...needed] },
      fails: (changed) => {
        const usual = scoreOf(text, [...needed])
        return usual.recall10 < 1 || JSON.stringify(scoreOf(text, changed.needed as readonly unknown[])) !== JSON.stringify(usual)
      },
    }))
  })
}

function readRecovery(): readonly ChangeableCase[] {
  const isWrong = (one: RecoveryCase, changed: object): boolean => {
    const changedCase = { ...one, ...changed }
    const above = toArgumentsCase(changedCase)
    const fault = judge(changedCase, recoverJson(textOf(one))).fault
    return fault !== undefined || (above !== undefined && judge(above, parseArguments(textOf(one))).fault !== undefined)
  }
  return readRecoveryCases(corpusPath('json-recovery')).map((one) => ({
    id: one.id,
    checked: one.level !== 'nocrash' && recoverJson(textOf(one)).ok ? ['expected'] : [],
    expected: pick(one, ['level', 'expected', 'level_args', 'expected_args', 'tag', 'repairs', 'partial', 'max_ms']),
    others: {
      '/level': othersOf(one.level, recoverJson(textOf(one)).ok),
      ...(one.level_args && { '/level_args': othersOf(one.level_args, parseArguments(textOf(one)).ok) }),
    },
    fails: (changed) => isWrong(one, changed),
  }))
}

/** Returns other levels for which the parser's result would be wrong. */
function othersOf(level: Level, isRecovered: boolean): readonly Level[] {
  if (level === 'nocrash') return []
  if (level === 'pass') return ['must', 'may', 'reject']
  return isRecovered ? ['pass', 'reject'] : ['pass', 'must']
}
