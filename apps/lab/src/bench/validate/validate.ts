/** The `validate` bench: tool calls, from the model's arguments to a result, compared with common validation libraries. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Bench, Goal, Limit, Subject } from '../bench.ts'
import { openFresh } from '../measure/fresh-workload.ts'
import { openCalls, takeFirst, takeMany, type ValidateSubject } from './validate-workload.ts'

const OURS = '@x/tool-core'
const BASE = 'by-hand'
const MANY = 1000

const subjects: readonly Subject[] = [
  peer(BASE, ['ajv']),
  { name: OURS, packages: [OURS, 'typebox'], load: () => import('./own-validate.ts') },
  peer('ajv', ['ajv']),
  peer('zod', ['zod']),
  peer('valibot', ['valibot']),
  peer('ai-sdk', ['ai', 'zod']),
]

const goals: readonly Goal[] = [
  beside(BASE, 'warm', 1.3, 'at most 1.3 times'),
  beside(BASE, 'first', 1, 'no more than'),
  beside('ajv', '1000/3', 1 / 20, 'at most 1/20 of'),
  beside('zod', 'bad', 1, 'no more than'),
]

const limits: readonly Limit[] = [{ name: 'bad: at most 7 µs', most: 7, cell: { subject: OURS, case: 'bad' }, by: 'cpu' }]

export const validate: Bench = {
  name: 'validate',
  per: 'call',
  base: BASE,
  subjects,
  cases: ['warm', 'bad', 'first', '1000/3'],
  goals,
  limits,
  async open(subject, caseName, peersFolder) {
    if (caseName === 'warm' || caseName === 'bad')
      return openCalls((await subject.load(peersFolder)) as ValidateSubject, caseName === 'warm' ? 'good' : 'bad')
    const program = join(import.meta.dirname, 'bench-fresh.js')
    return openFresh({ program, args: ['validate', subject.name, caseName, peersFolder] })
  },
  takeOnce(subject, caseName, peersFolder) {
    const load = async () => (await subject.load(peersFolder)) as ValidateSubject
    return caseName === 'first' ? takeFirst(load) : takeMany(load, MANY)
  },
}

function peer(name: string, packages: readonly string[]): Subject {
  const load = (peersFolder: string) => import(pathToFileURL(join(peersFolder, 'src/validate', `${name}.mjs`)).href)
  return { name, packages, load }
}

function beside(subject: string, caseName: string, limit: number, words: string): Goal {
  const cell = { subject: OURS, case: caseName }
  return { name: `${caseName}: ${words} ${subject}`, limit, cell, over: { subject, case: caseName } }
}
