import type { LM, LMDelta } from '@x/adapters'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aTurn, event } from '../../test/clock.ts'
import { answer } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'
import { ModelDeadline } from './model-deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the model timeout', () => {
  it('leaves no timer behind after the run, so that the process can end', async () => {
    const { reach, reached } = event()
    const generate: LM['generate'] = () => {
      reach()
      return new Promise(() => {})
    }
    const agent = await createReactAgent({ lm: { generate }, tools: [], signature: answer })
    const failing = expect(agent.run({ question: '?' }, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'timed_out' })
    await reached
    await aTurn()
    expect(vi.getTimerCount()).toBe(2)
    await vi.advanceTimersByTimeAsync(20)
    await failing
    expect(vi.getTimerCount()).toBe(0)
  })

  it("doesn't count the time of a slow event reader", async () => {
    const { reach, reached } = event()
    const lm: LM = {
      generate: () => Promise.reject(new Error('not streamed')),
      async *stream(): AsyncGenerator<LMDelta> {
        for (let count = 0; count < 1500; count++) {
          if (count === 990) reach()
          yield { type: 'text', text: 'a' }
        }
      },
    }
    const agent = await createReactAgent({ lm, tools: [], signature: answer, stream: true, modelTimeoutMs: 60 })
    const run = agent.run({ question: '?' })
    let read = 0
    for await (const _ of run.stream()) {
      if (read++ > 0) continue
      // By now, 1,000 events are queued and the model waits for the reader.
      await reached
      await aTurn()
      await vi.advanceTimersByTimeAsync(150)
    }
    expect((await run).outputs.answer).toHaveLength(1500)
  })

  it('starts again when the reader has caught up, and still ends a silent model', async () => {
    const deadline = new ModelDeadline(40, undefined)
    const failing = expect(deadline.hold(new Promise(() => {}), undefined)).rejects.toThrow(
      'The model did not reply within 40 ms (modelTimeoutMs).',
    )
    await vi.advanceTimersByTimeAsync(39)
    const { reach, reached } = event()
    const waiting = deadline.without(reached)
    await vi.advanceTimersByTimeAsync(80)
    reach()
    await waiting
    await vi.advanceTimersByTimeAsync(39)
    expect(deadline.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await failing
    expect(deadline.signal.aborted).toBe(true)
  })

  it('ends at once when the caller aborts, or has already aborted', async () => {
    const caller = new AbortController()
    const deadline = new ModelDeadline(10_000, caller.signal)
    const held = deadline.hold(new Promise(() => {}), caller.signal)
    caller.abort(new Error('enough'))
    await expect(held).rejects.toThrow('enough')
    await expect(deadline.hold(new Promise(() => {}), caller.signal)).rejects.toThrow('enough')
  })
})
