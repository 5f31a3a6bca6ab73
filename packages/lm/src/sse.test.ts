import { describe, expect, it } from 'vitest'
import { createHost } from './host.ts'
import { readEvents } from './sse.ts'

const host = createHost('http://host.test', {})

/** A body that goes on until it is cancelled. */
function endless(piece: string): { body: ReadableStream<Uint8Array>; cancelled: () => boolean } {
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(piece)),
    cancel: () => {
      cancelled = true
    },
  })
  return { body, cancelled: () => cancelled }
}

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) void event
}

describe('readEvents', () => {
  it('gives up on an event without an end, and closes the body', async () => {
    for (const piece of ['data: xxxxxxxx', 'data: x\n']) {
      const { body, cancelled } = endless(piece)
      await expect(drain(readEvents(body, host, () => {}, 1000))).rejects.toMatchObject({
        name: 'LMError',
        code: 'invalid_reply',
        message: 'host.test sent an event without an end.',
      })
      expect(cancelled()).toBe(true)
    }
  })

  it('reads events without an end of their number', async () => {
    const { body, cancelled } = endless('data: {"n":1}\n\n')
    let count = 0
    for await (const _ of readEvents(body, host, () => {}, 1000)) if (++count === 500) break
    expect(cancelled()).toBe(true)
  })

  it('closes the body at [DONE], and says so', async () => {
    const { body, cancelled } = endless('data: [DONE]\n\n')
    let done = 0
    await drain(readEvents(body, host, () => void done++))
    expect(done).toBe(1)
    expect(cancelled()).toBe(true)
  })
})
