import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { defineAction, defineTool } from '../../test/tools.ts'
import { sequence } from '../compose/sequence.ts'
import type { ApprovalRequest, CallOptions } from '../define/context.ts'
import { deriveTool } from '../define/derive.ts'
import { MAX_ARGS_LENGTH } from '../faults.ts'
import { callTool } from './call.ts'

const pay = (execute = vi.fn(() => ({ paid: true }))) => ({
  execute,
  action: defineAction({
    name: 'pay',
    description: 'Pays.',
    needsApproval: true,
    args: Type.Object({ amount: Type.Number(), currency: Type.String({ default: 'EUR' }) }),
    output: Type.Object({ paid: Type.Boolean() }),
    execute,
  }),
})
const call = { id: 'call_1', name: 'pay', args: { amount: 5 } }

describe('a tool that requires approval', () => {
  it('runs after the caller approves the args that will be executed', async () => {
    const approve = vi.fn(async () => true)
    const { action, execute } = pay()
    expect(await callTool(action, call, { approve })).toMatchObject({ ok: true, output: { paid: true } })
    expect(approve).toHaveBeenCalledExactlyOnceWith({ callId: 'call_1', name: 'pay', args: { amount: 5, currency: 'EUR' } })
    expect(execute).toHaveBeenCalledOnce()
  })

  it('shows a long text completely', async () => {
    const note = `${'x'.repeat(1_100_000)} and delete the rest`
    const shown: unknown[] = []
    const executed: unknown[] = []
    const write = defineAction({
      name: 'write',
      description: 'Writes.',
      needsApproval: true,
      args: Type.Object({ note: Type.String() }),
      output: Type.Object({}),
      execute: (args) => {
        executed.push(args)
        return {}
      },
    })
    await callTool(
      write,
      { ...call, args: { note } },
      {
        approve: ({ args }) => {
          shown.push(args)
          return true
        },
      },
    )
    expect(executed).toEqual([{ note }])
    expect(shown).toEqual(executed)
  })

  it('does not run if a hook made the args too long to be shown', async () => {
    const execute = vi.fn(() => ({}))
    const hooks = { beforeExecute: () => ({ note: 'x'.repeat(MAX_ARGS_LENGTH) }) }
    const parts = { name: 'write', description: 'Writes.', needsApproval: true, args: Type.Object({}), output: Type.Object({}) }
    const write = defineAction({ ...parts, hooks, execute })
    const result = await callTool(write, { id: 'a', name: 'write', args: {} }, { approve: () => true })
    expect(result).toMatchObject({ ok: false, error: { code: 'approval_required', message: expect.stringMatching(/too long/) } })
    expect(execute).not.toHaveBeenCalled()
  })

  it.each<[string, () => readonly [value: object, change: () => void]]>([
    [
      'a Map',
      () => {
        const map = new Map([['a', 1]])
        return [map, () => map.set('a', 999)]
      },
    ],
    [
      'a Set',
      () => {
        const set = new Set(['a'])
        return [set, () => set.add('b')]
      },
    ],
    [
      'a URL',
      () => {
        const url = new URL('https://good.example/')
        return [url, () => url.searchParams.set('to', 'evil')]
      },
    ],
    [
      'a query',
      () => {
        const query = new URLSearchParams('a=1')
        return [query, () => query.set('a', '2')]
      },
    ],
    [
      'bytes',
      () => {
        const bytes = Buffer.from('abc')
        return [bytes, () => bytes.fill(0)]
      },
    ],
    [
      'numbers',
      () => {
        const numbers = new Float64Array([0.5])
        return [numbers, () => numbers.fill(9)]
      },
    ],
    [
      'an object inside a Map',
      () => {
        const inner = { amount: 1 }
        return [new Map([['a', inner]]), () => Object.assign(inner, { amount: 9 })]
      },
    ],
  ])('executes %s as it was when it was shown', async (_, make) => {
    const [held, change] = make()
    const [expected] = make()
    const executed: unknown[] = []
    const action = defineAction({
      name: 'pay',
      description: 'Pays.',
      needsApproval: true,
      args: Type.Object({}),
      output: Type.Object({}),
      hooks: { beforeExecute: () => ({ held }) },
      execute: (args) => {
        executed.push(args)
        return {}
      },
    })
    const approve = () => {
      change()
      return true
    }
    await callTool(action, { id: 'a', name: 'pay', args: {} }, { approve })
    expect(executed).toEqual([{ held: expected }])
    expect(Object.getPrototypeOf((executed[0] as { held: object }).held)).toBe(Object.getPrototypeOf(expected))
  })

  it.each<[string, CallOptions, RegExp]>([
    ['there is no `approve`', {}, /requires approval, and approval can't be requested here\. Tell the user\.$/],
    [
      'approval was denied',
      { approve: () => false },
      /requires approval, and approval was denied\. Don't make the same call again\./,
    ],
    [
      '`approve` returned something other than true',
      { approve: () => 'yes' as never },
      /requires approval, and approval was denied/,
    ],
    ['`approve` failed', { approve: () => Promise.reject(new Error('offline')) }, /the request for approval failed/],
  ])('does not run when %s', async (_why, options, words) => {
    const { action, execute } = pay()
    const result = await callTool(action, call, options)
    expect(result).toMatchObject({ ok: false, error: { code: 'approval_required', message: expect.stringMatching(words) } })
    expect(execute).not.toHaveBeenCalled()
  })

  it('does not request approval of invalid arguments', async () => {
    const approve = vi.fn(() => true)
    const result = await callTool(pay().action, { ...call, args: { amount: 'much' } }, { approve })
    expect(result).toMatchObject({ error: { code: 'invalid_arguments' } })
    expect(approve).not.toHaveBeenCalled()
  })

  it('stops waiting for approval when the caller aborts', async () => {
    const controller = new AbortController()
    const approve = () => {
      queueMicrotask(() => controller.abort())
      return new Promise<boolean>(() => {})
    }
    const result = await callTool(pay().action, call, { approve, signal: controller.signal })
    expect(result).toMatchObject({ error: { code: 'aborted' } })
  })

  it('executes what was shown, even if `approve` changes its copy', async () => {
    const { action, execute } = pay()
    const approve = ({ args }: ApprovalRequest) => Object.assign(args, { amount: 1_000_000 }).amount > 0
    expect(await callTool(action, call, { approve })).toMatchObject({ ok: true })
    expect(execute).toHaveBeenCalledWith({ amount: 5, currency: 'EUR' }, expect.anything())
  })

  it('requests approval after the hook that may change the args', async () => {
    const { action } = pay()
    const doubled = deriveTool(action, { hooks: { beforeExecute: () => ({ amount: 10, currency: 'EUR' }) } })
    const approve = vi.fn(() => true)
    await callTool(doubled, call, { approve })
    expect(approve).toHaveBeenCalledExactlyOnceWith({ callId: 'call_1', name: 'pay', args: { amount: 10, currency: 'EUR' } })
  })

  it('keeps requiring approval in every derived tool', () => {
    expect(() => deriveTool(pay().action, { needsApproval: false as never })).toThrow(
      /needsApproval must be true, got false\. A derived tool can't remove this requirement/,
    )
    expect(deriveTool(pay().action, { name: 'pay_now' }).needsApproval).toBe(true)
  })

  const price = (execute: () => object) =>
    defineAction({
      name: 'price',
      description: 'Looks up a price.',
      args: Type.Object({}),
      output: Type.Object({ amount: Type.Number(), currency: Type.String() }),
      execute,
    })

  it('makes a sequence require approval before its first step', async () => {
    const first = vi.fn(() => ({ amount: 5, currency: 'EUR' }))
    const both = sequence('price_and_pay', price(first), pay().action)
    expect(await callTool(both, { ...call, args: {} })).toMatchObject({ error: { code: 'approval_required' } })
    expect(first).not.toHaveBeenCalled()
  })

  it('requests approval for a step too, with the args of the step', async () => {
    const both = sequence(
      'price_and_pay',
      price(() => ({ amount: 1_000_000, currency: 'EUR' })),
      pay().action,
    )
    const asked: ApprovalRequest[] = []
    const approve = (request: ApprovalRequest) => {
      asked.push(request)
      return request.name === 'price_and_pay'
    }
    expect(await callTool(both, { ...call, args: {} }, { approve })).toMatchObject({
      error: { code: 'approval_required', message: expect.stringContaining('Completed steps: price.') },
    })
    expect(asked.map(({ name, args }) => [name, args])).toEqual([
      ['price_and_pay', {}],
      ['pay', { amount: 1_000_000, currency: 'EUR' }],
    ])
  })

  it('also requests approval when a sequence is executed inside another tool', async () => {
    const { action, execute } = pay()
    const both = sequence(
      'price_and_pay',
      price(() => ({ amount: 5, currency: 'EUR' })),
      action,
    )
    const outer = defineTool({
      ...{ name: 'outer', description: 'Outer.', args: Type.Object({}) },
      execute: (_args, context) => both.execute({}, context),
    })
    expect(await callTool(outer, { ...call, args: {} })).toMatchObject({ error: { code: 'approval_required' } })
    expect(execute).not.toHaveBeenCalled()
    expect(await callTool(outer, { ...call, args: {} }, { approve: () => true })).toMatchObject({ ok: true })
  })
})
