import type { LM, LMDelta } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { createReactAgent } from '../react-agent.ts'
import { answer } from '../test-tools.ts'
import { ModelDeadline } from './model-deadline.ts'

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

describe('the deadline of a model', () => {
  it('leaves no timer behind when the run was over before, so that a process can end', async () => {
    const lm: LM = { generate: () => new Promise(() => {}) }
    const agent = await createReactAgent({ lm, tools: [], signature: answer })
    const before = timers()
    await expect(agent.run({ question: '?' }, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'timed_out' })
    expect(timers()).toBeLessThanOrEqual(before)
  })

  it('is not held against a model whose deltas somebody reads slowly', async () => {
    const deltas: LMDelta[] = [...Array.from({ length: 1500 }, () => ({ type: 'text', text: 'a' }) as const)]
    const lm: LM = {
      generate: () => Promise.reject(new Error('not streamed')),
      async *stream() {
        yield* deltas
      },
    }
    const agent = await createReactAgent({ lm, tools: [], signature: answer, stream: true, modelTimeoutMs: 60 })
    const run = agent.run({ question: '?' })
    let read = 0
    for await (const _ of run.stream()) if (read++ === 0) await wait(150)
    expect((await run).outputs.answer).toHaveLength(1500)
  })

  it('begins anew when the reader has come up, and still ends a model that says nothing more', async () => {
    const deadline = new ModelDeadline(40, undefined)
    const held = deadline.hold(new Promise(() => {}), undefined)
    await wait(0)
    await deadline.without(wait(80))
    await expect(held).rejects.toThrow('The model did not answer within 40 ms.')
    expect(deadline.signal.aborted).toBe(true)
  })

  it('gives up at once with the caller, also with one who gave up before', async () => {
    const caller = new AbortController()
    const deadline = new ModelDeadline(10_000, caller.signal)
    const held = deadline.hold(new Promise(() => {}), caller.signal)
    caller.abort(new Error('enough'))
    await expect(held).rejects.toThrow('enough')
    await expect(deadline.hold(new Promise(() => {}), caller.signal)).rejects.toThrow('enough')
  })
})
