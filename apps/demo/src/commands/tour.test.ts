import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { plannerLM } from '@x/lm/planner'
import { scriptedLM } from '@x/lm/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDemo, testFolder } from '../test-build.ts'
import { DOMAINS } from '../test-domains.ts'
import { createTerminal } from '../view/terminal.ts'
import { runTour } from './tour.ts'

const dist = testFolder('tour')
beforeAll(() => buildDemo(dist), 60_000)
afterAll(() => rmSync(dist, { recursive: true, force: true }))

const program = { file: join(dist, 'killed-program.js'), model: { kind: 'planner' as const } }
const place = { kind: 'sqlite' as const, file: ':memory:' }

function recorder() {
  const lines: string[] = []
  const terminal = createTerminal({ write: (text) => lines.push(text.trimEnd()) }, {})
  return { lines, terminal }
}

describe('the tour', () => {
  it('passes with the planner, offline, and ends with the table and the sum', { timeout: 120_000 }, async () => {
    const { lines, terminal } = recorder()
    const passed = await runTour({
      entries: DOMAINS,
      lm: plannerLM(),
      newPlace: () => place,
      program,
      terminal,
      signal: new AbortController().signal,
    })
    expect(lines.filter((line) => line.includes('✗'))).toEqual([])
    expect(passed).toBe(true)
    const total = lines.filter((line) => /^\[\d+\/\d+\] /.test(line)).length
    expect(total).toBeGreaterThanOrEqual(12)
    expect(lines.at(-1)).toBe(`${total} of ${total} requests passed`)
    expect(lines.slice(-total - 2, -2).every((line) => line.includes('✓'))).toBe(true)
    for (const name of ['approvals', 'budget', 'stop', 'journal']) {
      expect(lines.slice(-total - 2, -2).filter((line) => line.startsWith(`${name} `))).toHaveLength(1)
    }
  })

  it('says so when a request is not served as expected', async () => {
    const { lines, terminal } = recorder()
    const entries = DOMAINS.filter(({ name }) => name === 'memory')
    const lm = scriptedLM([{ text: 'I would rather not.' }, { text: 'No.' }, { text: 'No.' }])
    expect(await runTour({ entries, lm, newPlace: () => place, program, terminal, signal: new AbortController().signal })).toBe(
      false,
    )
    expect(lines.at(-1)).toBe('0 of 3 requests passed')
  })
})
