/** Tests the runner of fuzz targets: it finds planted faults with minimal texts, and reports targets that can't run. */
import { expect, it } from 'vitest'
import { fuzz, run } from './fuzz.ts'
import { LastText } from './last-text.ts'
import { minimize } from './minimize.ts'
import { createRandom } from './random.ts'
import type { FuzzTarget } from './target.ts'

/** A target that fails for multiples of seven. */
const sevens: FuzzTarget = {
  name: 'sevens',
  start: (publish = () => {}) => ({
    behaviours: 2,
    execute(random) {
      const text = String(random.below(1000))
      publish(text)
      const isFaulty = Number(text) % 7 === 0
      const fault = { check: 'is no seven', why: 'it can be divided' }
      return { text, behaviour: '', ...(isFaulty && { fault }), minimize: () => '0' }
    },
  }),
}
const fine: FuzzTarget = {
  name: 'fine',
  start: () => ({ behaviours: 1, execute: () => ({ text: '', behaviour: '', minimize: () => '' }) }),
}

async function call(...words: string[]) {
  const written = { out: '', err: '' }
  const out = (text: string) => {
    written.out += text
  }
  const err = (text: string) => {
    written.err += text
  }
  // Each execution takes one millisecond.
  let time = 0
  return { code: await fuzz(words, { targets: [sevens, fine], out, err, now: () => time++ }), ...written }
}

it('reports a finding once, with its smallest text, seed and count, and exits with 1', async () => {
  const report = await run(sevens, 5, (executions) => executions >= 200)
  expect(report).toMatchObject({ target: 'sevens', seed: 5, executions: 200, behaviours: 2 })
  expect(report.findings).toMatchObject([{ check: 'is no seven', why: 'it can be divided', text: '0', seed: 5 }])
  expect(report.findings[0]?.times).toBeGreaterThan(10)
  const { code, out } = await call('sevens', '--seconds', '0.2', '--seed', '5')
  expect(out).toContain('✗ is no seven: it can be divided\n  "0"\n  seed 5, execution ')
  expect(out).toContain(
    `, ${report.findings[0]?.times} of this kind\nfuzz sevens: seed 5, 200 executions, 2 kinds of results, 1 findings\n`,
  )
  expect(code).toBe(1)
})

it('exits with 0 when nothing was found, and prints one object with --json', async () => {
  const { code, out, err } = await call('fine', '--seconds', '0', '--seed', '3', '--json')
  expect(JSON.parse(out)).toEqual({ target: 'fine', seed: 3, executions: 1, behaviours: 1, findings: [] })
  expect([code, err]).toEqual([0, ''])
})

it('repeats itself for the same seed, and differs for another', async () => {
  const texts = async (seed: number) => {
    const published: string[] = []
    await run(
      sevens,
      seed,
      (executions) => executions >= 20,
      (text) => published.push(text),
    )
    return published.join(' ')
  }
  expect(await texts(1)).toBe(await texts(1))
  expect(await texts(1)).not.toBe(await texts(2))
})

it.each([
  ['no target', [], 'Targets: sevens, fine.'],
  ['an unknown target', ['eights'], 'Targets: sevens, fine.'],
  ['two targets', ['sevens', 'fine'], 'Usage: pnpm fuzz'],
  ['an unknown option', ['fine', '--second', '1'], '--second'],
  ['an invalid number', ['fine', '--seconds', 'many'], '--seconds needs a number.'],
])('says on stderr that it cannot run, and exits with 2: %s', async (_, words, reason) => {
  const { code, out, err } = await call(...words)
  expect(err).toContain(reason)
  expect([code, out]).toEqual([2, ''])
})

it('prints its usage', async () => {
  expect(await call('--help')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Targets: sevens, fine.') })
})

it('minimizes a failing text, and simplifies its units', () => {
  expect(minimize('Some words {"key": "value"} and more', (text) => /\{.*\}/.test(text))).toBe('{}')
  expect(minimize('abc', (text) => text.length === 3)).toBe('aaa')
})

it('respects the maximum number of checks', () => {
  let asked = 0
  minimize('x'.repeat(10_000), () => ++asked % 3 === 0, 50)
  expect(asked).toBe(50)
})

it('shows another thread the current text', () => {
  const reader = new LastText()
  const writer = new LastText(reader.buffer)
  writer.write('first and longer')
  writer.write('🌍 "two"')
  expect([reader.writes, reader.read()]).toEqual([2, '🌍 "two"'])
})

it('returns all numbers below the limit', () => {
  const random = createRandom(7)
  const numbers = new Set(Array.from({ length: 200 }, () => random.below(5)))
  expect([...numbers].sort()).toEqual([0, 1, 2, 3, 4])
})
