/** The `loop` bench: an agent loop with a model in the same process, so that only the loop is measured. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Bench, Cell, Goal, Subject } from '../bench.ts'
import { type LoopSubject, openLoop } from './loop-workload.ts'

const OURS = '@x/react-agent'
const BASE = 'bare'

/** Cases are named `tools/steps`: the number of offered tools, and the number of steps. Each step calls one tool. */
const CASES = {
  '1/10': { tools: 1, steps: 10 },
  '1/50': { tools: 1, steps: 50 },
  '1/200': { tools: 1, steps: 200 },
  '100/10': { tools: 100, steps: 10 },
  '100/50': { tools: 100, steps: 50 },
  '100/200': { tools: 100, steps: 200 },
  '1000/10': { tools: 1000, steps: 10 },
  '1000/50': { tools: 1000, steps: 50 },
  '1000/200': { tools: 1000, steps: 200 },
} as const
type CaseName = keyof typeof CASES

const subjects: readonly Subject[] = [
  peer(BASE, ['ajv']),
  {
    name: OURS,
    packages: [OURS, '@x/adapters', '@x/tool-core', 'typebox'],
    load: () => import('./own-loop.ts'),
  },
  peer('ai-sdk', ['ai', 'zod']),
  peer('ai-sdk-json-schema', ['ai']),
  peer('openai-agents', ['@openai/agents', 'zod']),
  peer('langchain', ['langchain', '@langchain/core', 'zod']),
  peer('mastra', ['@mastra/core', 'zod']),
  peer('ax', ['@ax-llm/ax']),
  peer('tanstack', ['@tanstack/ai', 'zod']),
  peer('tanstack-json-schema', ['@tanstack/ai']),
]

const goals: readonly Goal[] = [
  beside('ai-sdk', '1/10', 1 / 15),
  beside('ai-sdk', '1/50', 1 / 15),
  beside('langchain', '1/10', 1 / 150),
  beside('langchain', '1/50', 1 / 150),
  beside('mastra', '1/10', 1 / 150),
  beside('mastra', '1/50', 1 / 150),
  beside(BASE, '1/10', 6),
  beside(BASE, '1/50', 6),
  growth('200 steps cost no more per step than 10', '1/200', '1/10', 1.2),
  growth('1000 tools cost no more than 1', '1000/10', '1/10', 1.2),
  beside('ai-sdk', '1000/10', 1 / 1000),
  beside('tanstack-json-schema', '1000/10', 1 / 20),
  beside(BASE, '1/50', 15),
  beside(BASE, '100/50', 15),
  beside(BASE, '1000/50', 15),
  growth('200 steps cost no more per step than 10', '1/200', '1/10', 1.3),
  growth('200 steps cost no more per step than 10', '100/200', '100/10', 1.3),
  growth('200 steps cost no more per step than 10', '1000/200', '1000/10', 1.3),
  growth('1000 tools cost at most twice as much as 1', '1000/10', '1/10', 2),
  growth('1000 tools cost at most twice as much as 1', '1000/50', '1/50', 2),
  growth('1000 tools cost at most twice as much as 1', '1000/200', '1/200', 2),
  ...subjects
    .filter(({ name }) => name !== BASE && name !== OURS)
    .flatMap(({ name }) => (Object.keys(CASES) as CaseName[]).map((caseName) => beside(name, caseName, 1))),
]

export const loop: Bench = {
  name: 'loop',
  per: 'step',
  base: BASE,
  subjects,
  cases: Object.keys(CASES),
  goals,
  async open(subject, caseName, peersFolder) {
    return openLoop((await subject.load(peersFolder)) as LoopSubject, CASES[caseName as CaseName])
  },
}

function peer(name: string, packages: readonly string[]): Subject {
  return { name, packages, load: (peersFolder) => import(pathToFileURL(join(peersFolder, 'src', `${name}.mjs`)).href) }
}

function beside(subject: string, caseName: CaseName, limit: number): Goal {
  const words = limit < 1 ? `1/${Math.round(1 / limit)} of` : `${limit} times`
  return { name: `${caseName}: at most ${words} ${subject}`, limit, cell: own(caseName), over: { subject, case: caseName } }
}

function growth(what: string, caseName: CaseName, from: CaseName, limit: number): Goal {
  return { name: `${what}: ${caseName} at most ${limit} times ${from}`, limit, cell: own(caseName), over: own(from) }
}

function own(caseName: CaseName): Cell {
  return { subject: OURS, case: caseName }
}
