/** A model for tests of wrappers. The test decides when each answer arrives. */
import type { LM, LMDelta, LMRequest, LMResponse } from '@x/adapters'

export const ask = (content: string): LMRequest => ({ messages: [{ role: 'user', content }] })

export async function collect(deltas: AsyncIterable<LMDelta>): Promise<LMDelta[]> {
  const list: LMDelta[] = []
  for await (const delta of deltas) list.push(delta)
  return list
}

export const text = (words: string): LMDelta => ({ type: 'text', text: words })
export const finish: LMDelta = { type: 'finish', finishReason: 'stop' }

/** Lets all pending microtasks and immediate callbacks run. */
export const aMoment = () => new Promise((resolve) => setImmediate(resolve))

export interface HeldLM extends Required<LM> {
  /** The texts of the requests, in order of arrival. */
  readonly asked: readonly string[]
  /** The requests whose signal has been aborted. */
  readonly aborted: readonly string[]
  /** Settles the oldest pending request. */
  answer(response: Partial<LMResponse> | Error): void
}

/** Creates the model. Each of its streams yields `a`, waits for the answer, and ends with `b`. */
export function heldLM(): HeldLM {
  const asked: string[] = []
  const aborted: string[] = []
  const open: { resolve(response: LMResponse): void; reject(error: Error): void }[] = []
  const wait = ({ messages }: LMRequest, signal: AbortSignal | undefined) => {
    const words = messages.at(-1)?.content ?? ''
    asked.push(words)
    return new Promise<LMResponse>((resolve, reject) => {
      open.push({ resolve, reject })
      signal?.addEventListener('abort', () => {
        aborted.push(words)
        reject(new Error('aborted'))
      })
    })
  }
  return {
    asked,
    aborted,
    answer(response) {
      const oldest = open.shift()
      if (response instanceof Error) oldest?.reject(response)
      else oldest?.resolve({ text: 'ab', toolCalls: [], ...response })
    },
    generate: (request, options) => wait(request, options?.signal),
    async *stream(request, options) {
      const waiting = wait(request, options?.signal)
      yield text('a')
      await waiting
      yield text('b')
      yield finish
    },
  }
}
