/** Tests the examples with runs that fail their expectations. The test of the tour plays the successful ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LM } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { createTerminal } from '../view/terminal.ts'
import { approvedRun } from './approved-run.ts'
import { withEstimatedUsage } from './estimated-usage.ts'
import { startAndKill } from './kill-process.ts'
import { budgetRun, stoppedRun } from './limited-runs.ts'
import { playExample } from './play-example.ts'
import type { RunExample } from './run-example.ts'

const folder = mkdtempSync(join(tmpdir(), 'demo-runs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { signal } = new AbortController()

function programOf(name: string, source: string) {
  const file = join(folder, name)
  writeFileSync(file, source)
  return { file, model: { kind: 'rules' as const } }
}

async function play(example: RunExample, lm: LM) {
  let shown = ''
  const terminal = createTerminal({ write: (text) => (shown += text) }, { COLUMNS: '110' })
  const played = await playExample(example, { lm, terminal, signal, program: programOf('none.mjs', '') })
  return { ...played, shown }
}

const transfer = (id: string, amount: number) => ({
  toolCalls: [
    { id, name: 'transfer_money', arguments: JSON.stringify({ from_account: 'savings', to_account: 'checking', amount }) },
  ],
})

describe('an example', () => {
  it('detects unexpected transactions, and the number of pauses', async () => {
    const { problems, shown } = await play(approvedRun, scriptedLM([transfer('1', 7), { text: 'Done.' }]))
    expect(shown).toContain('bank     $7.00 from savings to checking\n')
    expect(problems).toEqual([
      'number of pauses: 1, expected 3',
      'the bank booked: ["$7.00 from savings to checking"], expected ["$200.00 from savings to checking","$80.00 from checking to Northwind Energy"]',
      'reason the request failed: "call 1 is not as expected", expected undefined',
    ])
  })

  it('detects that a budget did not end the run', async () => {
    const usage = { inputTokens: 1, outputTokens: 1 }
    const { problems } = await play(budgetRun, scriptedLM([{ text: 'I would rather not.', usage }]))
    expect(problems[0]).toBe('the run ended with: "finished", expected "budget_exceeded"')
    expect(problems).toContain('the run answered: true, expected false')
  })

  it('reports the actual calls instead of the claims of the model', async () => {
    const { problems, shown } = await play(stoppedRun, scriptedLM([transfer('1', 200), { text: 'I have paid everything.' }]))
    expect(problems).toEqual([])
    expect(shown).toMatch(/ended {4}stopped\. Done: transfer_money \{[^}]*\}\.\s+Nothing else was started\./)
  })
})

describe('a process', () => {
  it('that finished earlier does not count as killed', async () => {
    expect(await startAndKill({ program: programOf('done.mjs', ''), folder, signal }, () => {})).toBe(false)
  })

  it('that reports the payment is killed', async () => {
    const program = programOf('pays.mjs', `process.send({ type: 'booked' }); setInterval(() => {}, 1_000)`)
    const news: string[] = []
    expect(await startAndKill({ program, folder, signal }, ({ type }) => news.push(type))).toBe(true)
    expect(news).toEqual(['booked'])
  })

  it('that fails reports why', async () => {
    const program = programOf('fails.mjs', `throw new Error('no bank today')`)
    await expect(startAndKill({ program, folder, signal }, () => {})).rejects.toThrow(
      /The process ended \(1\): [\s\S]*no bank today/,
    )
  })

  it('is ended when the caller aborts', async () => {
    const controller = new AbortController()
    const program = programOf('waits.mjs', `process.send({ type: 'asked' }); setInterval(() => {}, 1_000)`)
    const started = startAndKill({ program, folder, signal: controller.signal }, () => controller.abort())
    await expect(started).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('an estimate of usage', () => {
  const request = { messages: [{ role: 'user' as const, content: 'x'.repeat(400) }] }

  it('is one token per four characters of input and output', async () => {
    const { usage } = await withEstimatedUsage(scriptedLM([{ text: 'y'.repeat(40) }])).generate(request)
    expect(usage).toEqual({ inputTokens: 111, outputTokens: 17 })
  })

  it('does not replace the usage that the model reports', async () => {
    const usage = { inputTokens: 1, outputTokens: 2 }
    expect((await withEstimatedUsage(scriptedLM([{ text: 'y', usage }])).generate(request)).usage).toEqual(usage)
  })
})
