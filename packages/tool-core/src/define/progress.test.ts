import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineTool } from '../../test/tools.ts'
import { callTool } from '../call/call.ts'
import { deriveTool } from '../define/derive.ts'
import { checkOf } from '../schema/validate.ts'

const counter = defineTool({
  name: 'count_up',
  description: 'Counts.',
  args: Type.Object({ to: Type.Integer() }),
  execute: async function* ({ to }) {
    for (let at = 1; at <= to; at++) yield { at }
    return { counted: to }
  },
})
const call = { id: 'call_1', name: 'count_up', args: { to: 3 } }
const noArgs = Type.Object({})

/** Stops the clock after everything that a call imports is loaded. */
async function stopClock(): Promise<void> {
  await checkOf(noArgs)
  vi.useFakeTimers()
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a tool that is an async generator', () => {
  it('reports yielded values as progress, and returns its output', async () => {
    const progress = vi.fn()
    expect(await callTool(counter, call, { progress })).toMatchObject({ ok: true, output: { counted: 3 } })
    expect(progress.mock.calls).toEqual([[{ at: 1 }], [{ at: 2 }], [{ at: 3 }]])
  })

  it('returns its output to your own code too', async () => {
    expect(await counter.execute({ to: 2 })).toEqual({ counted: 2 })
  })

  it('fails the call if the generator throws', async () => {
    const failing = defineTool({
      ...{ name: 'fails', description: 'Fails.', args: Type.Object({}) },
      execute: async function* () {
        yield 1
        throw new Error('half way')
      },
    })
    expect(await callTool(failing, { ...call, args: {} })).toMatchObject({
      error: { code: 'execution_failed', message: '"fails" failed: half way' },
    })
  })

  it('stops at the deadline, runs its finally block, and reports nothing more', async () => {
    const progress = vi.fn()
    const finished = vi.fn()
    const endless = defineTool({
      ...{ name: 'endless', description: 'Never ends.', args: noArgs, timeoutMs: 20 },
      execute: async function* (): AsyncGenerator<string, void> {
        try {
          for (;;) {
            await new Promise((resolve) => setTimeout(resolve, 1))
            yield 'tick'
          }
        } finally {
          finished()
        }
      },
    })
    await stopClock()
    const running = callTool(endless, { ...call, args: {} }, { progress })
    await vi.advanceTimersByTimeAsync(20)
    expect(await running).toMatchObject({ error: { code: 'timeout' } })
    const reported = progress.mock.calls.length
    expect(reported).toBeGreaterThan(10)
    await vi.advanceTimersByTimeAsync(20)
    expect(finished).toHaveBeenCalledOnce()
    expect(progress.mock.calls.length).toBe(reported)
  })
})

describe('a generator that never awaits', () => {
  beforeEach(async () => {
    await stopClock()
    // Whenever the clock is read, a millisecond has passed, although no timer could fire.
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now++)
  })

  const busy = (finished = () => {}) =>
    defineTool({
      ...{ name: 'busy', description: 'Never waits.', args: noArgs, timeoutMs: 50 },
      execute: async function* () {
        try {
          // If nothing stops the generator, it still ends, so that the test can fail.
          for (let count = 0; count < 100_000; count++) yield 1
        } finally {
          finished()
        }
      },
    })

  it('times out and stops', async () => {
    const finished = vi.fn()
    const running = callTool(busy(finished), { ...call, args: {} })
    await vi.advanceTimersByTimeAsync(50)
    expect(await running).toMatchObject({ error: { code: 'timeout' } })
    await vi.advanceTimersByTimeAsync(1)
    expect(finished).toHaveBeenCalledOnce()
  })

  it('stops when the caller aborts', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 10)
    const running = callTool(deriveTool(busy(), {}), { ...call, args: {} }, { signal: controller.signal })
    await vi.advanceTimersByTimeAsync(10)
    expect(await running).toMatchObject({ error: { code: 'aborted' } })
  })

  it('runs its finally block when `progress` throws', async () => {
    const finished = vi.fn()
    const progress = () => {
      throw new Error('no screen')
    }
    await callTool(busy(finished), { ...call, args: {} }, { progress })
    expect(finished).toHaveBeenCalledOnce()
  })
})

describe('progress', () => {
  it('is dropped after the result', async () => {
    const progress = vi.fn()
    let late: ((update: unknown) => void) | undefined
    const tool = defineTool({
      ...{ name: 'leaves', description: 'Leaves something running.', args: Type.Object({}) },
      execute: async (_args, context) => {
        late = context.progress
        context.progress('in time')
      },
    })
    await callTool(tool, { ...call, args: {} }, { progress })
    late?.('too late')
    expect(progress.mock.calls).toEqual([['in time']])
  })
})
