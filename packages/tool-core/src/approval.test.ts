import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { callTool } from './call.ts'
import type { CallOptions } from './context.ts'
import { sequence } from './sequence.ts'
import { defineAction } from './test-tools.ts'

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

describe('a tool that needs approval', () => {
  it('runs after a yes to the args that will be executed', async () => {
    const approve = vi.fn(async () => true)
    const { action, execute } = pay()
    expect(await callTool(action, call, { approve })).toMatchObject({ ok: true, output: { paid: true } })
    expect(approve).toHaveBeenCalledExactlyOnceWith({ callId: 'call_1', name: 'pay', args: { amount: 5, currency: 'EUR' } })
    expect(execute).toHaveBeenCalledOnce()
  })

  it.each<[string, CallOptions, RegExp]>([
    ['nobody could be asked', {}, /nobody could be asked/],
    ['the answer was no', { approve: () => false }, /it was refused/],
    ['the answer was no yes', { approve: () => 'yes' as never }, /it was refused/],
    ['asking failed', { approve: () => Promise.reject(new Error('offline')) }, /asking for it failed/],
  ])('does not run when %s', async (_why, options, words) => {
    const { action, execute } = pay()
    const result = await callTool(action, call, options)
    expect(result).toMatchObject({ ok: false, error: { code: 'approval_required', message: expect.stringMatching(words) } })
    expect(execute).not.toHaveBeenCalled()
  })

  it('is not asked about when its arguments are wrong', async () => {
    const approve = vi.fn(() => true)
    const result = await callTool(pay().action, { ...call, args: { amount: 'much' } }, { approve })
    expect(result).toMatchObject({ error: { code: 'invalid_arguments' } })
    expect(approve).not.toHaveBeenCalled()
  })

  it('LOOP-04: does not wait for an answer after the caller has given up', async () => {
    const controller = new AbortController()
    const approve = () => {
      queueMicrotask(() => controller.abort())
      return new Promise<boolean>(() => {})
    }
    const result = await callTool(pay().action, call, { approve, signal: controller.signal })
    expect(result).toMatchObject({ error: { code: 'aborted' } })
  })

  it('makes a sequence need approval, before its first step', async () => {
    const first = vi.fn(() => ({ amount: 5, currency: 'EUR' }))
    const price = defineAction({
      name: 'price',
      description: 'Looks up a price.',
      args: Type.Object({}),
      output: Type.Object({ amount: Type.Number(), currency: Type.String() }),
      execute: first,
    })
    const both = sequence('price_and_pay', price, pay().action)
    expect(await callTool(both, { ...call, args: {} })).toMatchObject({ error: { code: 'approval_required' } })
    expect(first).not.toHaveBeenCalled()
    expect(await callTool(both, { ...call, args: {} }, { approve: () => true })).toMatchObject({ ok: true })
  })
})
