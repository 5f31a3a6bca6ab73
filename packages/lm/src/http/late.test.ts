/** A loopback server whose reply starts after five minutes of a fake clock. */
import type { ServerResponse } from 'node:http'
import { collectDeltas, type LMDelta, type LMResponse } from '@x/adapters'
import { openaiChat } from '@x/adapters/wire'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendEvents, sendJson, serve } from '../../test/server.ts'
import { type CreateLMOptions, createLM } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const MINUTES = 60_000

// Only the timers of this package and of the server: the sockets are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

async function whole(deltas: AsyncIterable<LMDelta>): Promise<LMResponse> {
  const list: LMDelta[] = []
  for await (const delta of deltas) list.push(delta)
  return collectDeltas(list)
}

/** Starts a server that answers after five minutes, and waits until it has the request. */
async function ask(send: (reply: ServerResponse) => void, isStreamed: boolean, options: Partial<CreateLMOptions> = {}) {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const server = await serve((reply) => {
    setTimeout(() => reply.destroyed || send(reply), 5 * MINUTES)
    arrive()
  })
  const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', retries: 0, ...options })
  const asking = isStreamed ? whole(lm.stream(request)) : lm.generate(request)
  asking.catch(() => {})
  await arrived
  return { server, asking }
}

describe.each([
  [
    'a complete reply',
    false,
    (reply: ServerResponse) => sendJson(reply, { choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] }),
  ],
  [
    'a stream',
    true,
    (reply: ServerResponse) => {
      sendEvents(reply, { choices: [{ delta: { content: 'Hello.' }, finish_reason: 'stop' }] }, '[DONE]')
      reply.end()
    },
  ],
] as const)('%s that starts after 5 minutes', (_, isStreamed, send) => {
  it('is read', async () => {
    const { asking } = await ask(send, isStreamed)
    await vi.advanceTimersByTimeAsync(5 * MINUTES)
    expect(await asking).toMatchObject({ text: 'Hello.', finishReason: 'stop' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is too late for a shorter deadline: the error names it, and the connection is closed', async () => {
    const { asking, server } = await ask(send, isStreamed, { deadlines: { firstByteMs: 2 * MINUTES } })
    await vi.advanceTimersByTimeAsync(2 * MINUTES)
    await expect(asking).rejects.toMatchObject({
      code: 'timeout',
      deadline: 'first_byte',
      // The host may have billed a complete reply.
      retryable: isStreamed,
      message: `${server.host} sent no reply within 120 s.`,
    })
    await server.dropped
    expect(server.received).toHaveLength(1)
  })
})
