/** The `code` bench: programs that call a tool, compared with QuickJS alone and with other libraries. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Bench, Goal, Subject } from '../bench.ts'
import type { Calls, CodeSubject } from './code-workload.ts'

const BASE = 'bare'
const TRIP = 'bare + round trip'
const INLINE = '@x/code inline'
const WORKER = '@x/code worker'
const OWN = ['@x/code', '@x/react-agent', '@x/tool-core', 'quickjs-wasi']
const CASES: readonly Calls[] = ['in a row', '50 at once', 'start']

// Imported lazily, so that processes of other benches load neither QuickJS nor our packages.
const loadSubjects = () => import('./code-subjects.ts')

const subjects: readonly Subject[] = [
  { name: BASE, packages: ['quickjs-wasi', '@x/tool-core'], load: async () => (await loadSubjects()).bare },
  { name: TRIP, packages: [], load: async () => (await loadSubjects()).bareWithTrip, cases: ['in a row', '50 at once'] },
  { name: 'nested calls', packages: ['@x/react-agent'], load: async () => (await loadSubjects()).nested },
  { name: INLINE, packages: OWN, load: async () => (await loadSubjects()).inline },
  { name: WORKER, packages: OWN, load: async () => (await loadSubjects()).worker },
  { name: '@x/code journal', packages: ['@x/durable'], load: async () => (await loadSubjects()).journaled },
  peer('ai-sdk', ['@ai-sdk/code-mode', 'run', 'ai']),
  peer('langchain', ['@langchain/quickjs', 'deepagents', '@langchain/core']),
]

const goals: readonly Goal[] = [
  beside(INLINE, 'in a row', 1.5, { subject: BASE, case: 'in a row' }),
  beside(WORKER, 'in a row', 1.3, { subject: TRIP, case: 'in a row' }),
  beside(INLINE, '50 at once', 2, { subject: INLINE, case: 'in a row' }),
  beside(WORKER, '50 at once', 2, { subject: INLINE, case: '50 at once' }),
  beside(WORKER, 'in a row', 1, { subject: 'ai-sdk', case: 'in a row' }),
  beside(WORKER, '50 at once', 1, { subject: 'ai-sdk', case: '50 at once' }),
  beside(INLINE, 'in a row', 1, { subject: 'langchain', case: 'in a row' }),
  beside(INLINE, '50 at once', 1, { subject: 'langchain', case: '50 at once' }),
]

export const code: Bench = {
  name: 'code',
  per: 'call',
  base: BASE,
  subjects,
  cases: CASES,
  goals,
  tabulate: async () => (await import('./tasks-table.ts')).tabulateTasks(),
  async open(subject, caseName, peersFolder) {
    const { openProgram } = await import('./code-workload.ts')
    return openProgram((await subject.load(peersFolder)) as CodeSubject, caseName as Calls)
  },
}

function peer(name: string, packages: readonly string[]): Subject {
  return { name, packages, load: (peersFolder) => import(pathToFileURL(join(peersFolder, `src/code/${name}.mjs`)).href) }
}

/** Requires a ratio of wall times, because a worker's thread runs in parallel to the caller's. */
function beside(subject: string, caseName: Calls, limit: number, over: Goal['over']): Goal {
  const words = over.case === caseName ? over.subject : `${over.subject}, ${over.case}`
  return {
    name: `${subject}, ${caseName}: at most ${limit} times ${words}`,
    limit,
    cell: { subject, case: caseName },
    over,
    by: 'wall',
  }
}
