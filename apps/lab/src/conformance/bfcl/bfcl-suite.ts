/**
 * The `bfcl` suite: questions of the Berkeley Function Calling Leaderboard, answered by a model and scored by the leaderboard's checker.
 */
import { join } from 'node:path'
import type { LM } from '@x/adapters'
import { parseArguments } from '@x/adapters/arguments'
import { isSameJson } from '../compare.ts'
import { noCase, type Suite } from '../suite.ts'
import { countAll, failuresOf, mapGroups, type Verdict } from '../verdict.ts'
import { type BFCLCase, type BFCLChecker, type BFCLFunction, toRequest } from './bfcl-case.ts'
import { importBFCLChecker, readBFCLCases, readBFCLFunctions } from './bfcl-files.ts'

export function defineBFCLSuite(lm: LM): Suite {
  return {
    name: 'bfcl',
    folder: 'bfcl',
    async run(corpus) {
      const cases = readBFCLCases(corpus)
      if (cases.length === 0) throw noCase('BFCL', join(corpus, 'cases*.jsonl'))
      const functions = readBFCLFunctions(corpus)
      const checker = await importBFCLChecker(corpus)
      const verdicts: Verdict[] = []
      for (const bfclCase of cases) verdicts.push(await checkBFCLCase(bfclCase, functions, checker, lm))
      const categories = mapGroups(verdicts, countAll)
      const rows = Object.entries(categories).map(([category, counts]) => ({ category, ...counts }))
      return { ...countAll(verdicts), metrics: { categories }, failures: failuresOf(verdicts), rows }
    },
  }
}

export async function checkBFCLCase(
  bfclCase: BFCLCase,
  documents: ReadonlyMap<string, BFCLFunction>,
  checker: BFCLChecker,
  lm: LM,
): Promise<Verdict> {
  const { id, category: group, flags = [], lang } = bfclCase
  if (flags.length > 0 || lang !== undefined) return { id, group, outcome: 'skipped', faults: [] }
  try {
    const faults = await findFaults(bfclCase, documents, checker, lm)
    return { id, group, outcome: faults.length === 0 ? 'passed' : 'failed', faults }
  } catch (error) {
    return { id, group, outcome: 'failed', faults: [`threw ${error}`] }
  }
}

async function findFaults(
  bfclCase: BFCLCase,
  documents: ReadonlyMap<string, BFCLFunction>,
  checker: BFCLChecker,
  lm: LM,
): Promise<readonly string[]> {
  const { category, expect, tools, ground_truth: truth = [] } = bfclCase
  const functions = tools.flatMap((tool) => documents.get(tool) ?? [])
  const { toolCalls } = await lm.generate(toRequest(bfclCase, functions))
  const calls = toolCalls.map(({ name, arguments: text }) => {
    const parsed = parseArguments(text)
    return { name, args: parsed.ok ? parsed.value : {} }
  })
  const made = calls.map(({ name }) => name).join(', ') || 'nothing'
  if (expect !== 'calls') return (calls.length === 0) === (expect === 'no_call') ? [] : [`called ${made}`]
  const { valid, error_type: type = 'wrong', error = '' } = checker.check(functions, calls, truth, category)
  if (!valid) return [`${type} ${error} (called ${made})`]
  // If there is only one tool, the checker takes the tool's name from the function document, not from the ground truth.
  const names = truth.map((call) => (call as { readonly name: string }).name)
  return isSameJson(calls.map(({ name }) => name).sort(), names.sort()) ? [] : [`called ${made}, expected ${names.join(', ')}`]
}
