import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { onFakeClock } from '../../test/clock.ts'
import { defineAction } from '../../test/tools.ts'
import { callTool } from '../call/call.ts'
import { ToolError } from '../errors.ts'
import type { CallOptions, ToolContext } from './context.ts'
import type { ActionHooks } from './hooks.ts'
import type { ToolTraits } from './traits.ts'

type Hooks = ActionHooks<{ n: number }, { sum: number }>
interface Probe extends ToolTraits {
  hooks?: Hooks
  execute?: (args: { n: number }, context: ToolContext) => { sum: number } | Promise<{ sum: number }>
}

const ORDER = [
  'beforeValidate',
  'afterValidate',
  'beforeExecute',
  'execute',
  'beforeValidateOutput',
  'afterValidateOutput',
  'afterExecute',
] as const
const HOOKS = ORDER.filter((stage) => stage !== 'execute')

function run(probe: Probe, args: Record<string, unknown> = { n: 1 }, options?: CallOptions) {
  const action = defineAction({
    name: 'probe',
    description: 'Probe.',
    args: Type.Object({ n: Type.Number() }),
    output: Type.Object({ sum: Type.Number() }),
    execute: ({ n }) => ({ sum: n + 1 }),
    ...probe,
  })
  return callTool(action, { id: 'call_1', name: 'probe', args }, options)
}

function recordingHooks(seen: string[]): Hooks {
  return Object.fromEntries(HOOKS.map((name) => [name, () => void seen.push(name)]))
}

const fail = () => {
  throw new Error('no')
}

describe('hooks', () => {
  it('T2-20: calls all hooks in order', async () => {
    const seen: string[] = []
    const execute = () => {
      seen.push('execute')
      return { sum: 1 }
    }
    expect((await run({ hooks: recordingHooks(seen), execute })).ok).toBe(true)
    expect(seen).toEqual(ORDER)
  })

  it.each(HOOKS)('T2-20: fails the call when %s throws, and reports the hook and whether the tool has run', async (name) => {
    const seen: string[] = []
    const result = await run({ hooks: { ...recordingHooks(seen), [name]: fail } })
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'hook_failed',
        message:
          HOOKS.indexOf(name) > HOOKS.indexOf('beforeExecute')
            ? `"probe" was run, but its ${name} hook failed: no. Don't repeat the call unless repeating it is safe.`
            : `"probe" was not run: its ${name} hook failed: no`,
        cause: { message: 'no' },
      },
    })
    expect(seen).toEqual(HOOKS.slice(0, HOOKS.indexOf(name)))
  })

  it.each(HOOKS)('T2-20: fails the call when %s rejects with null', async (name) => {
    expect(await run({ hooks: { [name]: () => Promise.reject(null) } })).toMatchObject({ error: { code: 'hook_failed' } })
  })

  it('lets a hook replace the value that it received', async () => {
    const hooks: Hooks = {
      beforeValidate: (args) => ({ n: Number(args.n) }),
      afterValidate: ({ n }) => ({ n: n + 10 }),
      beforeExecute: async ({ n }) => ({ n: n + 100 }),
      beforeValidateOutput: ({ sum }) => ({ sum: sum + 1_000 }),
      afterValidateOutput: ({ sum }) => ({ sum: sum + 10_000 }),
      afterExecute: ({ sum }) => ({ sum: -sum }),
    }
    expect(await run({ hooks }, { n: true as never })).toMatchObject({ ok: true, output: { sum: -11_112 } })
  })

  it('validates what beforeValidate returns', async () => {
    expect(await run({ hooks: { beforeValidate: () => ({ n: 'x' }) } })).toMatchObject({ error: { code: 'invalid_arguments' } })
  })

  it('passes the call and its values to a hook', async () => {
    const contexts: ToolContext[] = []
    const remember = (_: unknown, context: ToolContext) => void contexts.push(context)
    await run({ hooks: Object.fromEntries(HOOKS.map((name) => [name, remember])) }, { n: 1 }, { values: { user: 'ann' } })
    expect(contexts).toHaveLength(6)
    for (const context of contexts) expect(context).toMatchObject({ callId: 'call_1', values: { user: 'ann' } })
  })

  it('aborts the signal of a hook at its deadline', async () => {
    let fired = false
    const hang = (_: unknown, { signal }: ToolContext) => {
      signal.addEventListener('abort', () => {
        fired = true
      })
      return new Promise(() => {})
    }
    const running = () => run({ hooks: { beforeExecute: hang as never }, timeoutMs: 5 })
    expect(await onFakeClock(running)).toMatchObject({ error: { code: 'hook_failed' } })
    expect(fired).toBe(true)
  })

  it('times out a hook that never settles', async () => {
    for (const name of HOOKS) {
      const result = await onFakeClock(() => run({ timeoutMs: 10, hooks: { [name]: () => new Promise(() => {}) } }))
      expect(result).toMatchObject({ error: { code: 'hook_failed', message: expect.stringContaining(`${name} hook`) } })
    }
  })

  it('stops waiting for a hook when the caller aborts', async () => {
    const controller = new AbortController()
    const hang = () => {
      queueMicrotask(() => controller.abort())
      return new Promise<undefined>(() => {})
    }
    const result = await run({ hooks: { beforeExecute: hang } }, { n: 1 }, { signal: controller.signal })
    expect(result).toMatchObject({ error: { code: 'aborted' } })
  })

  it('calls no hook when execute is called directly', async () => {
    const seen: string[] = []
    const action = defineAction({
      name: 'probe',
      description: 'Probe.',
      args: Type.Object({}),
      output: Type.Object({}),
      hooks: recordingHooks(seen) as never,
      execute: () => ({}),
    })
    await action.execute({})
    expect(seen).toEqual([])
  })
})

describe('onError', () => {
  it.each([
    ['invalid_arguments', {}, { n: 'x' }],
    ['hook_failed', { hooks: { afterExecute: fail } }, { n: 1 }],
    ['execution_failed', { execute: fail }, { n: 1 }],
    ['invalid_output', { execute: () => ({ sum: 'x' }) as never }, { n: 1 }],
  ] as [string, Probe, Record<string, unknown>][])('calls onError once for %s', async (code, probe, args) => {
    const onError = vi.fn()
    const result = await run({ ...probe, hooks: { ...probe.hooks, onError } }, args)
    expect(onError).toHaveBeenCalledTimes(1)
    expect(onError.mock.calls[0]?.[0]).toBe(result.ok || result.error)
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code })
  })

  it('T2-21: calls onError once, after the retries are used up', async () => {
    const onError = vi.fn()
    const execute = vi.fn(() => Promise.reject(new ToolError('execution_failed', 'Busy.', { retryable: true })))
    await onFakeClock(() => run({ maxRetries: 2, execute, hooks: { onError } }))
    expect(execute).toHaveBeenCalledTimes(3)
    expect(onError).toHaveBeenCalledTimes(1)
  })

  it('T2-21: does not call onError if a retry succeeds', async () => {
    const onError = vi.fn()
    let failures = 1
    const execute = async () => {
      if (failures-- > 0) throw new ToolError('execution_failed', 'Busy.', { retryable: true })
      return { sum: 1 }
    }
    expect((await onFakeClock(() => run({ maxRetries: 1, execute, hooks: { onError } }))).ok).toBe(true)
    expect(onError).not.toHaveBeenCalled()
  })

  it('T2-21: keeps the original error if onError fails, and attaches the error of onError', async () => {
    const hookError = new Error('hook')
    const onError = () => Promise.reject(hookError)
    const error = new ToolError('execution_failed', 'The original.')
    for (const thrown of [error, error, Object.freeze(new ToolError('execution_failed', 'The original.'))]) {
      const result = await run({ execute: () => Promise.reject(thrown), hooks: { onError } })
      expect(result).toMatchObject({ ok: false, error: { message: 'The original.' } })
    }
    expect(error).toMatchObject({ hookError })
  })

  it('times out onError after a minute if the tool has no deadline', async () => {
    const running = () => run({ execute: fail, timeoutMs: Infinity, hooks: { onError: () => new Promise(() => {}) } })
    expect(await onFakeClock(running)).toMatchObject({
      error: { hookError: { code: 'timeout', message: expect.stringContaining('within 60000 ms') } },
    })
  })

  it('times out onError at the deadline', async () => {
    const result = await onFakeClock(() => run({ execute: fail, timeoutMs: 10, hooks: { onError: () => new Promise(() => {}) } }))
    expect(result).toMatchObject({ error: { code: 'execution_failed', hookError: { code: 'timeout' } } })
  })

  it('calls onError after an abort, because the call may need compensation', async () => {
    const onError = vi.fn()
    const controller = new AbortController()
    const execute = () => {
      controller.abort()
      return new Promise<never>(() => {})
    }
    await run({ execute, hooks: { onError } }, { n: 1 }, { signal: controller.signal })
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'aborted' }), expect.anything())
  })
})

describe('output', () => {
  it('T2-19: reports an output that does not match the schema as an error of the tool', async () => {
    expect(await run({ execute: () => ({ sum: 'x' }) as never })).toMatchObject({
      ok: false,
      error: {
        code: 'invalid_output',
        message:
          '"probe" returned an output that does not match its schema: /sum must be number. The call itself was carried out.',
      },
    })
  })

  it('T2-19: reports a missing output as an error of the tool', async () => {
    expect(await run({ execute: () => undefined as never })).toMatchObject({ error: { code: 'invalid_output' } })
  })
})
