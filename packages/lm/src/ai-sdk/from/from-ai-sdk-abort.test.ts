import { describe, expect, it } from 'vitest'
import { type AISDKModel, fromAISDK } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const never = new Promise<never>(() => {})

/** Creates a model that ignores aborts. */
const deafModel = (reply: Partial<AISDKModel>): AISDKModel => ({
  ...{ specificationVersion: 'v3', provider: 'acme.chat', modelId: 'm' },
  doGenerate: () => never,
  doStream: () => never,
  ...reply,
})

const reading = async (model: AISDKModel, signal: AbortSignal) => {
  for await (const _ of fromAISDK(model).stream(request, { signal }));
}

const aborted = { code: 'aborted', cause: 'enough', message: 'The request to acme.chat (m) was aborted.' }

describe('an abort that the model ignores', () => {
  it('stops waiting for a complete reply', async () => {
    const controller = new AbortController()
    const asking = fromAISDK(deafModel({})).generate(request, controller)
    controller.abort('enough')
    await expect(asking).rejects.toMatchObject(aborted)
  })

  it('stops waiting for a stream that has not started, and cancels it if it starts later', async () => {
    const controller = new AbortController()
    const { promise, cancel } = untilCancelled()
    let begin = (_: { stream: ReadableStream }) => {}
    const opening = new Promise<{ stream: ReadableStream }>((resolve) => {
      begin = resolve
    })
    const asking = reading(deafModel({ doStream: () => opening }), controller.signal)
    controller.abort('enough')
    await expect(asking).rejects.toMatchObject(aborted)
    begin({ stream: new ReadableStream({ cancel }) })
    expect(await promise).toBe('cancelled')
  })

  it('ends and cancels a stream that sends nothing any more', async () => {
    const controller = new AbortController()
    const { promise, cancel } = untilCancelled()
    const pull = () => {
      controller.abort('enough')
      return never
    }
    const stream = new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
    await expect(reading(deafModel({ doStream: async () => ({ stream }) }), controller.signal)).rejects.toMatchObject(aborted)
    expect(await promise).toBe('cancelled')
  })
})

function untilCancelled() {
  let cancel = () => {}
  const promise = new Promise<string>((resolve) => {
    cancel = () => resolve('cancelled')
  })
  return { promise, cancel: () => cancel() }
}
