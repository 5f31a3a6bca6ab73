/** Runs programs in a page of Chromium, whose workers aren't those of Node. */
import { expect, it } from 'vitest'
import { CHROMIUM_MISSING, openPage } from '../test/browser/browser.ts'
import { HOSTILE } from '../test/hostile.ts'

const suffix = CHROMIUM_MISSING === '' ? '' : ` (skipped: ${CHROMIUM_MISSING})`
const MISSING = expect.stringContaining('In a browser, also pass the URL of its quickjs.wasm')

it.skipIf(CHROMIUM_MISSING !== '')(`a page of Chromium runs programs in a worker, and ends hostile ones${suffix}`, async () => {
  const results = await openPage()
  const isHostile = ([name]: readonly [string, unknown]) => name.startsWith('hostile: ')
  expect(Object.fromEntries(Object.entries(results).filter((entry) => !isHostile(entry)))).toEqual({
    'without wasm': MISSING,
    'wrong wasm': MISSING,
    'no wasm': MISSING,
    calls: 6,
    inline: 6,
    types: 4,
    error: 'invalid_arguments',
    globals: [],
    hang: expect.stringContaining('computed for longer than 200 ms'),
    'after a hang': 6,
    recursion: 'caught',
    memory: expect.stringContaining('used more than 32 MiB of memory'),
    pause: { pending: [{ name: 'pay', args: { value: 5 } }], result: { value: 5 } },
  })
  const hostile = Object.entries(results).filter(isHostile)
  expect(hostile.filter(([, problems]) => (problems as unknown[]).length > 0)).toEqual([])
  expect(hostile.length).toBe(process.env.X_FULL ? HOSTILE.length : Math.ceil(HOSTILE.length / 8))
})
