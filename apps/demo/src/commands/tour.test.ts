import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { builtDemo } from '../../test/build.ts'
import { DOMAINS } from '../../test/domains.ts'
import { FEATURES } from '../features/index.ts'
import { plannerLM } from '../planner/planner-lm.ts'
import { createTerminal } from '../view/terminal.ts'
import { runTour, type TourOptions } from './tour.ts'

const program = { file: join(await builtDemo(), 'killed-program.js'), model: { kind: 'rules' as const } }

async function play({ entries, lm }: Pick<TourOptions, 'entries' | 'lm'>, COLUMNS: string) {
  let shown = ''
  const passed = await runTour({
    entries,
    lm,
    newPlace: () => ({ kind: 'sqlite', file: ':memory:' }),
    program,
    terminal: createTerminal({ write: (text) => (shown += text) }, { COLUMNS }),
    signal: new AbortController().signal,
  })
  return { passed, shown, lines: shown.trimEnd().split('\n') }
}

describe('the tour', () => {
  it('passes with the rules, offline, ends with the sum, and is the one in docs/tour.md (pnpm record-tour writes it)', async () => {
    const { passed, shown, lines } = await play({ entries: DOMAINS, lm: plannerLM({ isCautious: true }) }, '110')
    expect(lines.filter((line) => line.includes('✗'))).toEqual([])
    expect(passed).toBe(true)
    const total = lines.filter((line) => /^\[\d+\/\d+\] /.test(line)).length
    expect(total).toBeGreaterThanOrEqual(12)
    expect(lines.at(-1)).toBe(`${total} of ${total} requests passed`)
    expect(lines.filter((line) => line.startsWith('✓ '))).toHaveLength(total)
    expect(lines).toContain(`${FEATURES.length} of ${FEATURES.length} features worked`)
    for (const name of ['approvals', 'budget', 'stop', 'journal', 'code'])
      expect(lines.filter((line) => line.includes(` (${name})`))).toHaveLength(1)
    const page = readFileSync(new URL('../../../../docs/tour.md', import.meta.url), 'utf8')
    const recorded = /<!-- tour -->\s*```\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
    expect(withoutTimes(recorded.replace(/^Model: .*\n/, ''))).toEqual(withoutTimes(shown))
  })

  it('ends with a table if there is room, and lists the requests that are not served as expected', async () => {
    const entries = DOMAINS.filter(({ name }) => name === 'memory')
    const lm = scriptedLM([{ text: 'I would rather not.' }, { text: 'No.' }, { text: 'No.' }])
    const { passed, lines } = await play({ entries, lm }, '140')
    expect([passed, lines.at(-1)]).toEqual([false, '0 of 3 requests passed'])
    expect(lines.slice(-5, -2).every((line) => /^memory .* ✗ /.test(line))).toBe(true)
  })
})

/** Removes durations and times, which differ each time, and the end of a truncated line that contains one. */
function withoutTimes(text: string): readonly string[] {
  return text
    .replace(/\d{4}-\d{2}-\d{2}(?:T[\d:.]*Z?| \d{2}:\d{2})?/g, 'DAY')
    .replace(/\d+(?:\.\d)? m?s\b/g, 'T')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').replace(/─+/g, '─').trim())
    .map((line) => (line.includes('…') ? line.slice(0, ALIKE) : line))
    .filter((line) => line !== '')
}

/** Number of characters at the start of a truncated line that are compared. */
const ALIKE = 60
