/** The `registry` bench: 10,000 tools in separate modules, registered lazily and resolved, compared with manual imports. */
import { join } from 'node:path'
import type { Bench, Goal, Limit, Subject } from '../bench.ts'
import { openFresh } from '../measure/fresh-workload.ts'
import { writeModules } from './registry-modules.ts'
import type { RegistrySubject } from './registry-workload.ts'

const OURS = '@x/registry'
const BASE = 'bare-import'
const COUNT = 10_000
const AGENTS = 10

const REGISTER = `register ${COUNT.toLocaleString('en')}`
const COLD = 'resolve 3 cold'
const FIRST = 'resolve 3 first'
const WARM = 'resolve 3 warm'
const TEN = `resolve 3, ${AGENTS} agents`
const LOOK_UP = 'look-up'

// Imported lazily, so that processes of other benches don't load our packages.
const loadSubjects = () => import('./registry-subjects.ts')
const loadWork = () => import('./registry-workload.ts')

const subjects: readonly Subject[] = [
  { name: BASE, packages: [], load: async () => (await loadSubjects()).bareImport },
  { name: 'eager', packages: [], cases: [REGISTER], load: async () => (await loadSubjects()).eager },
  { name: OURS, packages: [OURS, '@x/tool-core', 'typebox'], load: async () => (await loadSubjects()).registry },
]

const goals: readonly Goal[] = [
  beside('eager', REGISTER, 1 / 50, 'at most 1/50 of'),
  { ...beside(BASE, COLD, 1.2, 'wall time, at most 1.2 times'), by: 'wall' },
  beside(BASE, WARM, 1.2, 'at most 1.2 times'),
]

const limits: readonly Limit[] = [
  { name: `${FIRST}: at most 5 ms`, most: 5000, cell: { subject: OURS, case: FIRST } },
  { name: `${WARM}: at most 5 ms`, most: 5000, cell: { subject: OURS, case: WARM } },
  { name: `${LOOK_UP}: at most 0.1 ms`, most: 100, cell: { subject: OURS, case: LOOK_UP } },
]

export const registry: Bench = {
  name: 'registry',
  per: 'operation',
  base: BASE,
  subjects,
  cases: [REGISTER, COLD, FIRST, WARM, TEN, LOOK_UP],
  goals,
  limits,
  async prepare(folder) {
    writeModules({ folder, count: COUNT }, join(import.meta.dirname, '../node_modules'))
  },
  async open(subject, caseName, peersFolder, folder = '') {
    if (caseName === LOOK_UP) {
      const { openLookUp } = await loadWork()
      return openLookUp((await subject.load(peersFolder)) as RegistrySubject, { folder, count: COUNT })
    }
    const program = join(import.meta.dirname, 'bench-fresh.js')
    return openFresh({ program, args: ['registry', subject.name, caseName, peersFolder, folder] })
  },
  async takeOnce(given, caseName, peersFolder, folder = '') {
    const { takeFirst, takeRegistration, takeWarm } = await loadWork()
    const subject = (await given.load(peersFolder)) as RegistrySubject
    const modules = { folder, count: COUNT }
    if (caseName === REGISTER) return takeRegistration(subject, modules)
    if (caseName === COLD) return takeFirst(subject, modules, 'cold')
    if (caseName === FIRST) return takeFirst(subject, modules, 'warm')
    return takeWarm(subject, modules, caseName === TEN ? AGENTS : 1)
  },
  tabulate: async () => (await import('./registry-scale.ts')).tabulateScale([COUNT, 10 * COUNT]),
}

function beside(subject: string, caseName: string, limit: number, words: string): Goal {
  const cell = { subject: OURS, case: caseName }
  return { name: `${caseName}: ${words} ${subject}`, limit, cell, over: { subject, case: caseName } }
}
