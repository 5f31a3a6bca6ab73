import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineTool } from '../../test/tools.ts'
import type { CallOptions, ToolContext } from '../define/context.ts'
import type { ToolTraits } from '../define/traits.ts'
import { ToolError } from '../errors.ts'
import { callTool } from './call.ts'

const busy = () => new ToolError('execution_failed', 'Busy.', { retryable: true })
const args = Type.Object({}) // One schema for all tools, so that it is compiled before the clock stops.
const never = () => new Promise(() => {})

beforeEach(async () => {
  await run(() => 1, {})
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

async function run(execute: (context: ToolContext) => unknown, traits: ToolTraits, options?: CallOptions) {
  const attempts: ToolContext[] = []
  const tool = defineTool({
    name: 'probe',
    description: 'Probe.',
    args,
    ...traits,
    execute: (_args, context) => {
      attempts.push(context)
      return execute(context)
    },
  })
  const result = await callTool(tool, { id: 'call_1', name: 'probe', args: {} }, options)
  return { result, attempts }
}

/** Advances the clock by this time, and returns the outcome. */
async function after<T>(ms: number, outcome: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(ms)
  return outcome
}

describe('retries', () => {
  it('retries a retryable failure up to maxRetries times', async () => {
    const { result, attempts } = await after(
      300,
      run(() => Promise.reject(busy()), { maxRetries: 2 }),
    )
    expect(attempts).toHaveLength(3)
    expect(result).toMatchObject({ ok: false, error: { message: 'Busy.' } })
  })

  it('passes the same arguments to a retry, even if the tool changed them', async () => {
    const seen: number[] = []
    const pay = defineTool({
      name: 'pay',
      description: 'Pay.',
      args: Type.Object({ amounts: Type.Array(Type.Number()) }),
      maxRetries: 2,
      execute: ({ amounts }: { amounts: number[] }) => {
        seen.push(amounts.length)
        amounts.pop()
        if (seen.length < 3) throw busy()
        return amounts
      },
    })
    vi.useRealTimers()
    const result = await callTool(pay, { id: 'call_1', name: 'pay', args: { amounts: [1, 2] } })
    expect(result).toMatchObject({ ok: true, output: [1] })
    expect(seen).toEqual([2, 2, 2])
  })

  it('stops retrying after the first success', async () => {
    let failures = 2
    const { result, attempts } = await after(
      300,
      run(() => (failures-- > 0 ? Promise.reject(busy()) : 'done'), { maxRetries: 5 }),
    )
    expect(attempts).toHaveLength(3)
    expect(result).toMatchObject({ ok: true, output: 'done' })
  })

  it('retries after any thrown object with `retryable: true`', async () => {
    const { attempts } = await after(
      100,
      run(() => Promise.reject({ retryable: true }), { maxRetries: 1 }),
    )
    expect(attempts).toHaveLength(2)
  })

  it.each([[new Error('no')], [null], [new ToolError('execution_failed', 'no')], [{ retryable: 'yes' }]])(
    'does not retry after %o',
    async (thrown) => {
      expect((await run(() => Promise.reject(thrown), { maxRetries: 3 })).attempts).toHaveLength(1)
    },
  )

  it('does not retry by default', async () => {
    expect((await run(() => Promise.reject(busy()), {})).attempts).toHaveLength(1)
  })

  it('stops retrying when the caller aborts', async () => {
    const controller = new AbortController()
    const failAndAbort = () => {
      controller.abort()
      return Promise.reject(busy())
    }
    const { attempts } = await run(failAndAbort, { maxRetries: 3 }, { signal: controller.signal })
    expect(attempts).toHaveLength(1)
  })

  it('gives every attempt the same idempotency key and its own signal', async () => {
    const fail = ({ signal }: ToolContext) => Promise.reject(signal.aborted || busy())
    const { attempts } = await after(100, run(fail, { maxRetries: 1 }, { idempotencyKey: 'run/call_1' }))
    expect(attempts.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['run/call_1', 'run/call_1'])
    expect(attempts[0]?.signal).not.toBe(attempts[1]?.signal)
  })
})

describe('deadlines', () => {
  it('T2-15: stops waiting for a tool that never settles', async () => {
    const { result } = await after(50, run(never, { timeoutMs: 50 }))
    expect(result).toMatchObject({ ok: false, error: { code: 'timeout', retryable: true } })
  })

  it('has a default deadline of one minute', async () => {
    const { result } = await after(60_000, run(never, {}))
    expect(result).toMatchObject({ error: { message: '"probe" did not finish within 60000 ms.' } })
  })

  it('T2-15: allows a slow tool that stays below its deadline', async () => {
    const slow = () => new Promise((resolve) => setTimeout(resolve, 40, 'done'))
    expect((await after(40, run(slow, { timeoutMs: 50 }))).result).toMatchObject({ ok: true, output: 'done' })
  })

  it.each([
    ['read', 2],
    ['idempotent', 2],
    ['write', 1],
    ['destructive', 1],
    [undefined, 1],
  ] as const)('for the effect %s, makes %d attempts after a timeout', async (effect, count) => {
    const { attempts } = await after(200, run(never, { effect, timeoutMs: 50, maxRetries: 1 }))
    expect(attempts).toHaveLength(count)
  })

  it('aborts the signal of the tool at the deadline', async () => {
    let signal: AbortSignal | undefined
    const hold = (context: ToolContext) => {
      signal = context.signal
      return never()
    }
    await after(50, run(hold, { timeoutMs: 50 }))
    expect(signal?.aborted).toBe(true)
  })

  it.each(['resolves', 'rejects'])('drops a result that %s too late', async (how) => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const late = () =>
      new Promise((resolve, reject) => setTimeout(() => (how === 'resolves' ? resolve('late') : reject(new Error('late'))), 100))
    const { result } = await after(50, run(late, { timeoutMs: 50 }))
    await vi.advanceTimersByTimeAsync(100)
    vi.useRealTimers()
    // Node reports an unhandled rejection before the next turn.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(result).toMatchObject({ ok: false, error: { code: 'timeout' } })
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('stops waiting when the caller aborts during the execution', async () => {
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    const hold = (context: ToolContext) => {
      signal = context.signal
      return never()
    }
    const running = run(hold, { effect: 'read', maxRetries: 3 }, { signal: controller.signal })
    await vi.advanceTimersByTimeAsync(1)
    controller.abort()
    const { result, attempts } = await running
    expect(result).toMatchObject({ ok: false, error: { code: 'aborted' } })
    expect(signal?.aborted).toBe(true)
    expect(attempts).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('starts nothing if the caller has already aborted', async () => {
    const { result, attempts } = await run(never, {}, { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ ok: false, error: { code: 'aborted' } })
    expect(attempts).toHaveLength(0)
  })
})
