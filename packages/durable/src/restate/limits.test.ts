import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startLimits } from './limits.ts'

it('follows signals and a timeout, and leaves no listeners behind', async () => {
  const one = new AbortController()
  const other = new AbortController()
  const limits = startLimits([one.signal, undefined, other.signal], 10_000)
  expect(limits.signal.aborted).toBe(false)
  other.abort()
  expect([limits.signal.aborted, limits.isLate()]).toEqual([true, false])
  limits.end()
  expect([...getEventListeners(one.signal, 'abort'), ...getEventListeners(other.signal, 'abort')]).toEqual([])
  expect(startLimits([other.signal], 1).signal.aborted).toBe(true)
  const late = startLimits([], 1)
  while (!late.signal.aborted) await sleep(1)
  expect([late.signal.aborted, late.isLate()]).toEqual([true, true])
})

it('allows many listeners on one signal without a warning', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  const { signal } = new AbortController()
  const all = Array.from({ length: 30 }, () => startLimits([signal], 10_000))
  await sleep(20)
  for (const limits of all) limits.end()
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
})
