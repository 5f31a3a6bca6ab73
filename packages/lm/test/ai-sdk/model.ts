/** AI SDK models for tests, with prepared answers and recorded calls. */
import type { AISDKModel } from '../../src/ai-sdk/from/from-ai-sdk.ts'
import type { Json } from '../../src/ai-sdk/read.ts'

export interface TestModel extends AISDKModel {
  readonly calls: Json[]
}

/** A model that returns this complete reply, or throws this error. */
export function wholeModel(reply: Json | Error, specificationVersion: AISDKModel['specificationVersion'] = 'v3'): TestModel {
  const calls: Json[] = []
  return {
    ...{ specificationVersion, provider: 'acme.chat', modelId: 'm', calls },
    async doGenerate(options: Json) {
      calls.push(options)
      if (reply instanceof Error) throw reply
      return { finishReason: STOP, usage: {}, warnings: [], ...reply }
    },
    doStream: () => Promise.reject(new Error('not streamed')),
  }
}

export const STOP = { unified: 'stop', raw: 'end_turn' } as const

/** A model that streams these parts. Calls `onCancel` when the stream isn't read to the end. */
export function streamModel(parts: readonly unknown[], onCancel: () => void = () => {}): TestModel {
  const calls: Json[] = []
  return {
    ...{ specificationVersion: 'v3', provider: 'acme.chat', modelId: 'm', calls },
    doGenerate: () => Promise.reject(new Error('not whole')),
    async doStream(options: Json) {
      calls.push(options)
      const waiting = [...parts]
      const pull = (controller: ReadableStreamDefaultController) =>
        waiting.length > 0 ? controller.enqueue(waiting.shift()) : controller.close()
      return { stream: new ReadableStream({ pull, cancel: onCancel }, { highWaterMark: 0 }) }
    },
  }
}
