import type { LMDelta } from '@x/adapters'
import { openaiChat } from '@x/adapters/wire'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendEvents, serve } from '../../test/server.ts'
import { createLM } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const chunk = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
const ABORTED = { name: 'LMError', code: 'aborted' }

/** Fails the test for an unhandled rejection. */
function watchRejections(): unknown[] {
  const seen: unknown[] = []
  const listen = (reason: unknown) => seen.push(reason)
  process.on('unhandledRejection', listen)
  onTestFinished(() => void process.off('unhandledRejection', listen))
  return seen
}
/** // Node reports an unhandled rejection before the next turn of the event loop. */
const aTurn = () => new Promise((resolve) => setImmediate(resolve))

/** A `fetch` that calls back when the headers have arrived and the body is being read. */
const fetchCalling =
  (onBody: () => void): typeof fetch =>
  async (...request) => {
    const reply = await fetch(...request)
    setImmediate(onBody)
    return reply
  }

describe('an abort', () => {
  it('prevents the request if it comes before', async () => {
    const server = await serve((reply) => reply.end())
    const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' })
    const signal = AbortSignal.abort('enough')
    await expect(lm.generate(request, { signal })).rejects.toMatchObject({ ...ABORTED, cause: 'enough' })
    await expect(lm.stream(request, { signal })[Symbol.asyncIterator]().next()).rejects.toMatchObject(ABORTED)
    expect(server.received).toEqual([])
  })

  it('settles at once and closes the connection while the server prepares its reply', async () => {
    const unhandled = watchRejections()
    const controller = new AbortController()
    const server = await serve(() => controller.abort('enough'))
    const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' })
    await expect(lm.generate(request, { signal: controller.signal })).rejects.toMatchObject({
      ...ABORTED,
      message: `The request to ${server.host} was aborted.`,
      cause: 'enough',
    })
    await server.dropped
    await aTurn()
    expect(unhandled).toEqual([])
  })

  it('settles at once and closes the connection while the body arrives', async () => {
    const controller = new AbortController()
    const server = await serve((reply) => reply.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":'))
    const fetch = fetchCalling(() => controller.abort())
    const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', fetch })
    await expect(lm.generate(request, { signal: controller.signal })).rejects.toMatchObject(ABORTED)
    await server.dropped
  })

  it('is reported as an abort while the body of an error arrives', async () => {
    const controller = new AbortController()
    const server = await serve((reply) => reply.writeHead(500).write('{"error":'))
    const fetch = fetchCalling(() => controller.abort())
    const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', fetch })
    await expect(lm.generate(request, { signal: controller.signal })).rejects.toMatchObject(ABORTED)
  })

  it('settles at once and closes the connection while a stream is silent', async () => {
    const unhandled = watchRejections()
    const controller = new AbortController()
    const server = await serve((reply) => sendEvents(reply, chunk('a')))
    const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' })
    const seen: LMDelta[] = []
    const reading = (async () => {
      for await (const delta of lm.stream(request, { signal: controller.signal })) {
        seen.push(delta)
        setImmediate(() => controller.abort())
      }
    })()
    await expect(reading).rejects.toMatchObject(ABORTED)
    expect(seen).toEqual([{ type: 'text', text: 'a' }])
    await server.dropped
    await aTurn()
    expect(unhandled).toEqual([])
  })

  it('prevents further deltas, even between two deltas of one piece', async () => {
    const controller = new AbortController()
    const server = await serve((reply) => sendEvents(reply, chunk('a'), chunk('b'), chunk('c')))
    const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' })
    const seen: LMDelta[] = []
    const reading = (async () => {
      for await (const delta of lm.stream(request, { signal: controller.signal })) {
        seen.push(delta)
        controller.abort()
      }
    })()
    await expect(reading).rejects.toMatchObject(ABORTED)
    expect(seen).toHaveLength(1)
    await server.dropped
  })

  it('changes nothing after the response', async () => {
    const unhandled = watchRejections()
    const controller = new AbortController()
    const server = await serve((reply) => {
      sendEvents(reply, { choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }, '[DONE]')
      reply.end()
    })
    const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' })
    for await (const delta of lm.stream(request, { signal: controller.signal })) void delta
    controller.abort()
    await aTurn()
    expect(unhandled).toEqual([])
  })
})
