/** Tests programs whose paused run is resumed twice at once, or has an edited record. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileJournal } from '@x/durable'
import type { PausedRun } from '@x/react-agent'
import type { Steps } from '@x/react-agent/steps'
import { describe, expect, it, onTestFinished } from 'vitest'
import { numberTool, openAgent, textOf } from '../test/agent.ts'

const CODE = `
  const { value } = await tools.get({ value: 1 })
  const paid = await tools.pay({ value: value + 1 })
  await tools.put({ value: paid.value + 1 })
  return 'done'`

/** `whilePaying` is called during the payment. */
function openPayer(log: string[], whilePaying: () => unknown = () => {}) {
  const execute = async (value: number) => {
    await whilePaying()
    return { value }
  }
  return openAgent(CODE, [
    numberTool('get', { log }),
    numberTool('pay', { log, effect: 'write', needsApproval: true, execute }),
    numberTool('put', { log, effect: 'write' }),
  ])
}

async function pause(log: string[], steps?: Steps): Promise<PausedRun> {
  const agent = await openPayer(log)
  const error = await agent.run({ question: '?' }, { id: 'r', steps }).catch((thrown: unknown) => thrown)
  return JSON.parse(JSON.stringify((error as { paused: PausedRun }).paused))
}

interface ResumeParts {
  readonly steps?: Steps | undefined
  readonly whilePaying?: (() => unknown) | undefined
}

async function resume(paused: PausedRun, log: string[], { steps, whilePaying }: ResumeParts = {}): Promise<string> {
  const agent = await openPayer(log, whilePaying)
  return textOf(await agent.resume(paused, { 'c1.2': true }, { steps }))
}

describe('a run that is resumed twice at once', () => {
  const open = () => {
    const folder = mkdtempSync(join(tmpdir(), 'code-repeated-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'run.jsonl')
    return async <T>(work: (steps: Steps) => Promise<T>) => {
      const journal = await fileJournal(file)
      try {
        return await work(journal)
      } finally {
        await journal.close()
      }
    }
  }
  const ONCE = ['get 1', 'pay 2', 'put 3']

  it('over two journals in one file executes each call once, and the other resume ends with `in_use`', async () => {
    const log: string[] = []
    const withJournal = open()
    const paused = await withJournal((steps) => pause(log, steps))
    const resumeIt = (whilePaying?: () => unknown) => withJournal((steps) => resume(paused, log, { steps, whilePaying }))
    let other: unknown
    const whilePaying = async () => {
      other = await resumeIt().catch((cause: unknown) => cause)
    }
    expect(await resumeIt(whilePaying)).toBe('{"result":"done"}')
    expect(other).toMatchObject({ code: 'in_use' })
    expect(log).toEqual(ONCE)
    expect(await resumeIt()).toBe('{"result":"done"}')
    expect(log).toEqual(ONCE)
  })

  it('over one journal executes each call once, and the other resume ends with `steps_failed`', async () => {
    const log: string[] = []
    const ends = await open()(async (steps) => {
      const paused = await pause(log, steps)
      return await Promise.allSettled([resume(paused, log, { steps }), resume(paused, log, { steps })])
    })
    expect(ends.filter(({ status }) => status === 'fulfilled')).toMatchObject([{ value: '{"result":"done"}' }])
    expect(ends.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'steps_failed', cause: { code: 'key_in_use' } } },
    ])
    expect(log).toEqual(ONCE)
  })
})

describe('a paused program whose records were edited', () => {
  const START = 'the record of its start has changed'
  const edits: readonly (readonly [what: string, edit: (start: object) => unknown, words: string])[] = [
    ['another text', (start) => ({ ...start, code: 'x' }), 'the text of the program has changed since it started'],
    ['a time that is not a number', (start) => ({ ...start, now: null }), START],
    ['a seed that is not an integer', (start) => ({ ...start, seed: 0.5 }), START],
    ['no properties', () => ({}), START],
    ['no start', () => null, START],
  ]

  it.each(edits)('executes nothing if its start has %s', async (_, edit, words) => {
    const log: string[] = []
    const paused = await pause(log)
    const records = paused.nested.c1 as Record<string, string>
    records['value-start'] = JSON.stringify(edit(JSON.parse(records['value-start'] ?? '')))
    expect(await resume(paused, log)).toContain(`its resumed execution differs from the earlier one: ${words}.`)
    expect(log).toEqual(['get 1'])
  })

  it('executes nothing if the model wrote another program, even one that makes the same calls at first', async () => {
    const log: string[] = []
    const paused = await pause(log)
    Object.assign(paused.response.toolCalls[0] as object, {
      arguments: JSON.stringify({ code: CODE.replace('tools.put', 'tools.pay') }),
    })
    expect(await resume(paused, log)).toContain('the text of the program has changed since it started')
    expect(log).toEqual(['get 1'])
  })
})
