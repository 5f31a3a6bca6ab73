import { scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { DOMAINS } from '../domains/index.ts'
import { createTerminal } from '../view/terminal.ts'
import { runEval } from './eval.ts'

type Turn = Parameters<typeof scriptedLM>[0][number]

/** Answers the requests about languages that no tool serves, and nothing else. */
async function evaluateLanguages(turns: readonly Turn[], options: { json?: boolean; atLeast?: number } = {}) {
  let text = ''
  const terminal = createTerminal({ write: (written) => (text += written) }, {})
  const enough = await runEval({
    entries: DOMAINS.filter(({ name }) => name === 'language'),
    lm: scriptedLM(turns),
    model: 'a script',
    newPlace: () => ({ kind: 'sqlite', file: ':memory:' }),
    atLeast: options.atLeast ?? 85,
    json: options.json ?? false,
    terminal,
    signal: new AbortController().signal,
  })
  return { enough, text }
}

const silent = Array.from({ length: 9 }, (): Turn => ({ text: 'No.' }))

describe('an evaluation', () => {
  it('counts what was served, and shows each failure with what was expected and what was called', async () => {
    const { enough, text } = await evaluateLanguages(silent)
    expect(enough).toBe(false)
    expect(text).toMatch(
      /✗ language: Translate "Good morning" to French\n {4}call 1 is not as expected\n {4}expected translate_text/,
    )
    expect(text).toMatch(/^language +9 +2 +22\.2 % +1\.00 +0\.00 +0\.00$/m)
    expect(text.trimEnd().split('\n').at(-1)).toBe('2 of 9 requests served (22.2 %); at least 85 % were wanted')
  })

  it('is content with less when it is told to', async () => {
    expect((await evaluateLanguages(silent, { atLeast: 22 })).enough).toBe(true)
  })

  it('gives one JSON object, and nothing else, to a program', async () => {
    const { text } = await evaluateLanguages(silent, { json: true })
    const report = JSON.parse(text) as { failures: unknown[] }
    expect(report).toMatchObject({
      model: 'a script',
      database: 'sqlite',
      enough: false,
      total: { requests: 9, passed: 2, precision: 1, recall: 0, f1: 0 },
      domains: [{ name: 'language', requests: 9 }],
    })
    expect(report.failures).toHaveLength(7)
    expect(report.failures[0]).toMatchObject({ domain: 'language', why: 'call 1 is not as expected', calls: [], answer: 'No.' })
  })

  it('counts a request at which the model fails as not served, unless there is no model at all', async () => {
    const lm = { generate: () => Promise.reject(new Error('out of order')) }
    const first = { entries: DOMAINS.filter(({ name }) => name === 'memory'), lm, model: 'broken', atLeast: 0, json: true }
    const terminal = createTerminal({ write: () => {} }, {})
    const rest = {
      newPlace: () => ({ kind: 'sqlite' as const, file: ':memory:' }),
      terminal,
      signal: new AbortController().signal,
    }
    await expect(runEval({ ...first, ...rest })).rejects.toMatchObject({ code: 'model_failed' })
    let asked = 0
    const breaking = { generate: () => (asked++ === 0 ? Promise.resolve({ text: 'No.', toolCalls: [] }) : lm.generate()) }
    expect(await runEval({ ...first, ...rest, lm: breaking })).toBe(true)
  })
})
