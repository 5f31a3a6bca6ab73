import { plannerLM } from '@x/lm/planner'
import { scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { DOMAINS } from '../domains/index.ts'
import { createTerminal } from '../view/terminal.ts'
import { runTour } from './tour.ts'

const place = { kind: 'sqlite' as const, file: ':memory:' }

function recorder() {
  const lines: string[] = []
  const terminal = createTerminal({ write: (text) => lines.push(text.trimEnd()) }, {})
  return { lines, terminal }
}

describe('the tour', () => {
  it('passes with the planner, offline, and ends with the table and the sum', async () => {
    const { lines, terminal } = recorder()
    const passed = await runTour({
      entries: DOMAINS,
      lm: plannerLM(),
      newPlace: () => place,
      terminal,
      signal: new AbortController().signal,
    })
    expect(lines.filter((line) => line.includes('✗'))).toEqual([])
    expect(passed).toBe(true)
    const total = lines.filter((line) => /^\[\d+\/\d+\] /.test(line)).length
    expect(total).toBeGreaterThanOrEqual(12)
    expect(lines.at(-1)).toBe(`${total} of ${total} requests passed`)
    expect(lines.slice(-total - 2, -2).every((line) => line.includes('✓'))).toBe(true)
  })

  it('says so when a request is not served as expected', async () => {
    const { lines, terminal } = recorder()
    const entries = DOMAINS.filter(({ name }) => name === 'memory')
    const lm = scriptedLM([{ text: 'I would rather not.' }, { text: 'No.' }, { text: 'No.' }])
    expect(await runTour({ entries, lm, newPlace: () => place, terminal, signal: new AbortController().signal })).toBe(false)
    expect(lines.at(-1)).toBe('0 of 3 requests passed')
  })
})
