import { describe, expect, it } from 'vitest'
import { createProgressSender, type ProgressParams } from './progress.ts'

async function sentFor(...updates: readonly unknown[]): Promise<readonly ProgressParams[]> {
  const sent: ProgressParams[] = []
  const sender = createProgressSender(async (params) => void sent.push(params))
  for (const update of updates) sender.progress(update)
  await sender.settled()
  return sent
}

describe('progress', () => {
  it('may be a number, an object, or the message of a step', async () => {
    expect(await sentFor(0, { progress: 0.5, total: 1, message: 'half' }, 'next', { rows: 3 })).toEqual([
      { progress: 0 },
      { progress: 0.5, total: 1, message: 'half' },
      { progress: 1.5, message: 'next' },
      { progress: 2.5, message: '{"rows":3}' },
    ])
  })

  it('always increases', async () => {
    expect(await sentFor(2, 2, 1, 'next', { message: 'more' })).toEqual([
      { progress: 2 },
      { progress: 3, message: 'next' },
      { progress: 4, message: 'more' },
    ])
  })

  it('is bounded, and never throws', async () => {
    const circular: { self?: unknown } = {}
    circular.self = circular
    const sent = await sentFor('x'.repeat(10_000), circular, Number.NaN, undefined, { progress: 'a' })
    expect(sent).toHaveLength(5)
    expect(sent[0]?.message?.length).toBeLessThan(2_100)
  })

  it('continues after a notification that could not be sent', async () => {
    const sent: number[] = []
    const sender = createProgressSender(async ({ progress }) => {
      if (progress === 1) throw new Error('gone')
      sent.push(progress)
    })
    for (const update of [1, 2]) sender.progress(update)
    await sender.settled()
    expect(sent).toEqual([2])
  })
})
