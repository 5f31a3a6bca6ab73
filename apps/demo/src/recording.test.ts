/** The recording in the README is what the tour does now. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { plannerLM } from '@x/lm/planner'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runTour } from './commands/tour.ts'
import { buildDemo, testFolder } from './test-build.ts'
import { DOMAINS } from './test-domains.ts'
import { createTerminal } from './view/terminal.ts'

const COLUMNS = '110'

const dist = testFolder('recording')
beforeAll(() => buildDemo(dist), 60_000)
afterAll(() => rmSync(dist, { recursive: true, force: true }))

it('the tour in the README is up to date (pnpm record-tour writes it)', { timeout: 120_000 }, async () => {
  let shown = ''
  const terminal = createTerminal({ write: (text) => (shown += text) }, { COLUMNS })
  const newPlace = () => ({ kind: 'sqlite' as const, file: ':memory:' })
  const program = { file: join(dist, 'killed-program.js'), model: { kind: 'planner' as const } }
  await runTour({ entries: DOMAINS, lm: plannerLM(), newPlace, program, terminal, signal: new AbortController().signal })
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const recorded = /<!-- tour -->\s*```\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  expect(withoutTimes(recorded.replace(/^Model: .*\n/, ''))).toEqual(withoutTimes(shown))
})

/** Durations, dates and hours differ each time, and so does where a line is cut that holds one. */
function withoutTimes(text: string): readonly string[] {
  return text
    .replace(/\d{4}-\d{2}-\d{2}(?:T[\d:.]*Z?)?/g, 'DAY')
    .replace(/\d+(?:\.\d)? m?s\b/g, 'T')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').replace(/─+/g, '─').trim())
    .map((line) => (line.includes('…') ? line.slice(0, ALIKE) : line))
    .filter((line) => line !== '')
}

/** Characters at the beginning of a line that is cut. */
const ALIKE = 60
