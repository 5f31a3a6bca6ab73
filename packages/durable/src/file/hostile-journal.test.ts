/** Tests journals and orders that have correct checksums but weren't written by an engine. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { DurableError } from '../errors.ts'
import { createFileEngine } from './file-engine.ts'
import { fileJournal } from './journal/file-journal.ts'
import { FIRST_LINE, FIRST_SUM, toLine, toRecord } from './journal/record.ts'

const root = mkdtempSync(join(tmpdir(), 'hostile-journal-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0

type RunNotes = readonly (readonly [key: string, value: unknown])[]

function journalOf(notes: RunNotes): string {
  let text = FIRST_LINE
  let sum = FIRST_SUM
  for (const [key, value] of notes) {
    const line = toLine('run', key, toRecord('run', key, value), sum)
    text += line.text
    sum = line.sum
  }
  return text
}

async function opened(files: Readonly<Record<string, string>>) {
  const folder = join(root, String(++count), 'runs')
  for (const part of ['waiting', 'ended', 'orders']) mkdirSync(join(folder, part), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const problems: DurableError[] = []
  const inputs: unknown[] = []
  const fn = async (input: unknown) => void inputs.push(input)
  const engine = await createFileEngine({ folder, fn, lookEveryMs: 20, onProblem: (problem) => problems.push(problem) })
  return { folder, engine, problems, inputs }
}

const AT = '2026-01-01T00:00:00.000Z'
const start = ['start', { id: 'evil', input: 1, at: AT }] as const

const RECORDS: readonly (readonly [string, RunNotes])[] = [
  ['records but no start', [['waits', [{ name: 'go' }]]]],
  ['a start that is null', [['start', null]]],
  ['a start without a time', [['start', { input: 1 }]]],
  ['a start with another kind of id', [['start', { id: 5, at: AT }]]],
  ['the start of another run', [['start', { id: 'other', input: 1, at: AT }]]],
  ['waits that are no list', [start, ['waits', 5]]],
  ['a wait without a name', [start, ['waits', [null]]]],
  ['an end that is null', [start, ['end', null]]],
  ['an end in an unknown state', [start, ['end', { state: 'running' }]]],
  ['a failure without a message', [start, ['end', { state: 'failed' }]]],
]

describe.each(RECORDS)('a journal with %s', (_, notes) => {
  it('is refused as damaged, is left unchanged, and affects no other run', async () => {
    const text = journalOf(notes)
    const { folder, engine, problems, inputs } = await opened({ 'evil.journal': text })
    expect(await engine.run('good', 2)).toBeUndefined()
    await expect.poll(() => problems.length).toBe(1)
    await expect(engine.status('evil')).rejects.toMatchObject({ code: 'broken' })
    await expect(engine.result('evil')).rejects.toMatchObject({ code: 'broken' })
    expect((await engine.list()).map(({ id }) => id)).toEqual(['good'])
    await engine.close()
    for (const problem of problems) expect(problem.code).toBe('broken')
    expect(inputs).toEqual([2])
    expect(readFileSync(join(folder, 'evil.journal'), 'utf8')).toBe(text)
  })
})

it('a journal that was not started by an engine is kept, although it is in the folder of one', async () => {
  const { folder, engine, problems } = await opened({})
  {
    await using journal = await fileJournal(join(folder, 'mine.journal'))
    await journal.run('a', async () => 'paid')
  }
  await expect.poll(() => problems.some(({ code }) => code === 'broken')).toBe(true)
  await engine.close()
  await using journal = await fileJournal(join(folder, 'mine.journal'))
  expect(await journal.run('a', async () => 'paid again')).toBe('paid')
})

it('an id that belongs to another file cannot lead out of the folder', async () => {
  const outside = `${'x/../'.repeat(3)}../evil`
  const file = `%%${createHash('sha256').update(outside).digest('hex')}.journal`
  const { folder, engine, inputs } = await opened({ [file]: journalOf([['start', { id: outside, input: 1, at: AT }]]) })
  await engine.run('good', 2)
  expect((await engine.list()).map(({ id }) => id)).toEqual(['good'])
  await engine.close()
  expect(inputs).toEqual([2])
  expect(readdirSync(join(folder, '..'))).toEqual(['runs'])
})

it.each([
  ['of an unknown type', { type: 'pause' }],
  ['without a type', {}],
  ['of another form', 'cancel'],
  ['to decide without a name', { type: 'decide', name: 5 }],
])('an order %s is reported and removed, and cancels no run', async (_, what) => {
  const { folder, engine, problems } = await opened({
    'waiting/a.journal': journalOf([
      ['start', { id: 'a', input: 1, at: AT }],
      ['waits', [{ name: 'go' }]],
    ]),
    'orders/000000000-a.order': JSON.stringify({ id: 'a', startedAt: AT, what }),
  })
  const order = join(folder, 'orders/000000000-a.order')
  await expect.poll(() => existsSync(order)).toBe(false)
  expect((await engine.status('a'))?.state).toBe('waiting')
  await engine.close()
  expect(problems).toMatchObject([{ code: 'cannot_open' }])
})

it('an order with a decision that the run could not use is reported and removed, and the run keeps waiting', async () => {
  const wait = { name: 'approval-c1', about: { callId: 'c1', digest: 'd', needs: 'approval' } }
  const { folder, engine, problems } = await opened({
    'waiting/a.journal': journalOf([
      ['start', { id: 'a', input: 1, at: AT }],
      ['waits', [wait]],
    ]),
    'orders/000000000-a.order': JSON.stringify({
      id: 'a',
      startedAt: AT,
      what: { type: 'decide', name: wait.name, value: 'yes' },
    }),
  })
  await expect.poll(() => existsSync(join(folder, 'orders/000000000-a.order'))).toBe(false)
  expect(await engine.status('a')).toMatchObject({ state: 'waiting', waitsFor: [wait] })
  await engine.close()
  expect(problems).toMatchObject([{ code: 'invalid_value' }])
})
