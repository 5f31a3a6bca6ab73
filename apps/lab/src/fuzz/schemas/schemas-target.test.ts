/** Tests the `schemas` target: it finds planted faults, and nothing in our code. */
import { validate } from '@x/tool-core'
import { expect, it } from 'vitest'
import type { StartClock } from '../../start-clock.ts'
import { createRandom } from '../random.ts'
import { defineSchemasTarget, type Validate } from './schemas-target.ts'

const standingClock: StartClock = () => () => 0

async function faultsOf(check: Validate, executions: number, startClock = standingClock): Promise<ReadonlySet<string>> {
  const running = defineSchemasTarget(check, startClock).start()
  const random = createRandom(3)
  const faults = new Set<string>()
  for (let left = executions; left > 0; left--) {
    const { fault } = await running.execute(random)
    if (fault !== undefined) faults.add(fault.check)
  }
  return faults
}

it.each<[string, Validate]>([
  ['answers', () => Promise.reject(new Error('deep'))],
  ['agrees with AJV', async () => []],
  ['agrees with AJV', async () => [{ keyword: 'type' }]],
])('finds a check that breaks the rule: %s', async (rule, check) => {
  const running = defineSchemasTarget(check, standingClock).start()
  const random = createRandom(3)
  await expect.poll(async () => (await running.execute(random)).fault?.check, { interval: 0 }).toBe(rule)
})

it('finds a check that takes too long', async () => {
  const slow: StartClock = () => () => 101
  expect(await faultsOf(validate, 8, slow)).toEqual(new Set())
  let asked = 0
  // Parsing takes no time, and validation takes 101 ms.
  const uneven: StartClock = () => () => (asked++ % 2 === 0 ? 0 : 101)
  expect(await faultsOf(validate, 8, uneven)).toEqual(new Set(['takes at most the time of ten `JSON.parse` calls plus 100 ms']))
})

it('finds nothing in our code', async () => {
  expect(await faultsOf(validate, process.env.X_FULL ? 300 : 10)).toEqual(new Set())
})
