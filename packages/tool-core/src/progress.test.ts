import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { callTool } from './call.ts'
import { deriveTool } from './derive.ts'
import { defineTool } from './test-tools.ts'

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

describe('a tool that is an async generator', () => {
  it('reports what it yields as progress, and gives what it returns', async () => {
    const progress = vi.fn()
    expect(await callTool(counter, call, { progress })).toMatchObject({ ok: true, output: { counted: 3 } })
    expect(progress.mock.calls).toEqual([[{ at: 1 }], [{ at: 2 }], [{ at: 3 }]])
  })

  it('gives its output to your own code too', async () => {
    expect(await counter.execute({ to: 2 })).toEqual({ counted: 2 })
  })

  it('that throws is a failed result', async () => {
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

  it('LOOP-04: is stopped at the deadline, runs its finally, and reports nothing more', async () => {
    const progress = vi.fn()
    const finished = vi.fn()
    const endless = defineTool({
      ...{ name: 'endless', description: 'Never ends.', args: Type.Object({}), timeoutMs: 20 },
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
    expect(await callTool(endless, { ...call, args: {} }, { progress })).toMatchObject({ error: { code: 'timeout' } })
    const reported = progress.mock.calls.length
    await vi.waitFor(() => expect(finished).toHaveBeenCalledOnce())
    expect(progress.mock.calls.length).toBe(reported)
  })
})

describe('a generator that never waits', () => {
  const busy = (finished = () => {}) =>
    defineTool({
      ...{ name: 'busy', description: 'Never waits.', args: Type.Object({}), timeoutMs: 50 },
      execute: async function* () {
        try {
          for (;;) yield 1
        } finally {
          finished()
        }
      },
    })

  it('LOOP-04: is given up on in time, and stopped', async () => {
    const finished = vi.fn()
    expect(await callTool(busy(finished), { ...call, args: {} })).toMatchObject({ error: { code: 'timeout' } })
    await vi.waitFor(() => expect(finished).toHaveBeenCalledOnce())
  })

  it('LOOP-04: ends with the abort of the caller', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 10)
    const result = await callTool(deriveTool(busy(), {}), { ...call, args: {} }, { signal: controller.signal })
    expect(result).toMatchObject({ error: { code: 'aborted' } })
  })

  it('runs its finally when the one who is told throws', async () => {
    const finished = vi.fn()
    const progress = () => {
      throw new Error('no screen')
    }
    await callTool(busy(finished), { ...call, args: {} }, { progress })
    expect(finished).toHaveBeenCalledOnce()
  })
})

describe('progress', () => {
  it('LOOP-04: that comes after the result is dropped', async () => {
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
