/** The suite `bfcl`: questions of the Berkeley function calling leaderboard, answered by a model and judged by its checker. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LM } from '@x/adapters'
import { parseArguments } from '@x/adapters/arguments'
import { type BFCLCase, type BFCLChecker, type BFCLFunction, toRequest } from './bfcl-case.ts'
import { assertCase } from './read-cases.ts'
import { CorpusError, noCase, type Suite } from './suite.ts'
import { countAll, failuresOf, mapGroups, type Verdict } from './verdict.ts'

const CASES = 'cases-dev.jsonl'
const CHECKER = 'bfcl-check.mjs'

export function defineBFCLSuite(lm: LM): Suite {
  return {
    name: 'bfcl',
    folder: 'bfcl',
    async run(corpus) {
      const cases = readCases(join(corpus, CASES))
      if (cases.length === 0) throw noCase('BFCL', join(corpus, CASES))
      const functions = readFunctions(join(corpus, 'tools.json'))
      const checker = (await import(pathToFileURL(join(corpus, CHECKER)).href)) as BFCLChecker
      const verdicts: Verdict[] = []
      for (const bfclCase of cases) verdicts.push(await checkCase(bfclCase, functions, checker, lm))
      const categories = mapGroups(verdicts, countAll)
      const rows = Object.entries(categories).map(([category, counts]) => ({ category, ...counts }))
      return { ...countAll(verdicts), metrics: { categories }, failures: failuresOf(verdicts), rows }
    },
  }
}

function readCases(path: string): readonly BFCLCase[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.map((line) => assertCase<BFCLCase>(JSON.parse(line), ['category', 'expect', 'question', 'tools'], path))
}

function readFunctions(path: string): ReadonlyMap<string, BFCLFunction> {
  if (!existsSync(path)) throw new CorpusError(`There is no ${path}: the functions of the cases.`)
  const list = JSON.parse(readFileSync(path, 'utf8')) as readonly BFCLFunction[]
  return new Map(list.map((one) => [one.id, one]))
}

async function checkCase(
  bfclCase: BFCLCase,
  documents: ReadonlyMap<string, BFCLFunction>,
  checker: BFCLChecker,
  lm: LM,
): Promise<Verdict> {
  const { id, category: group, expect, tools, ground_truth: truth = [], flags = [], lang } = bfclCase
  if (flags.length > 0 || lang !== undefined) return { id, group, outcome: 'skipped', faults: [] }
  const functions = tools.flatMap((tool) => documents.get(tool) ?? [])
  const { toolCalls } = await lm.generate(toRequest(bfclCase, functions))
  const calls = toolCalls.map(({ name, arguments: text }) => {
    const parsed = parseArguments(text)
    return { name, args: parsed.ok ? parsed.value : {} }
  })
  const made = calls.map(({ name }) => name).join(', ') || 'nothing'
  if (expect !== 'calls') {
    const isRight = (calls.length === 0) === (expect === 'no_call')
    return { id, group, outcome: isRight ? 'passed' : 'failed', faults: isRight ? [] : [`called ${made}`] }
  }
  const { valid, error_type: type = 'wrong', error = '' } = checker.check(functions, calls, truth, group)
  return { id, group, outcome: valid ? 'passed' : 'failed', faults: valid ? [] : [`${type} ${error} (called ${made})`] }
}
