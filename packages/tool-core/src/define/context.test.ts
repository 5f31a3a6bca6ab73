import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { defineTool } from '../../test/tools.ts'
import { callTool } from '../call/call.ts'
import { checkContext, toContext } from './context.ts'

const whoami = defineTool({
  name: 'whoami',
  description: 'Tells who asks.',
  args: Type.Object({}),
  context: Type.Object({ user: Type.String() }),
  execute: (_args, { values, callId, idempotencyKey }) => ({ user: values.user, callId, idempotencyKey }),
})
const call = { id: 'call_1', name: 'whoami', args: {} }

describe('context', () => {
  it('T2-11: passes the values to the tool', async () => {
    expect(await callTool(whoami, call, { values: { user: 'ann' }, idempotencyKey: 'key' })).toMatchObject({
      output: { user: 'ann', callId: 'call_1', idempotencyKey: 'key' },
    })
  })

  it('has no default idempotency key, because call ids repeat in the next run', async () => {
    expect(await callTool(whoami, call, { values: { user: 'ann' } })).toMatchObject({ output: { idempotencyKey: '' } })
  })

  it.each([[{}], [{ user: 1 }], [undefined]])('validates the values before the call runs: %j', async (values) => {
    expect(await callTool(whoami, call, { values })).toMatchObject({
      ok: false,
      error: { code: 'invalid_context', message: expect.stringMatching(/^"whoami" cannot run here/) },
    })
  })

  it('keeps the values out of messages for the model', async () => {
    const result = await callTool(whoami, call, { values: { user: { secret: 'hunter2' } } })
    expect(result.ok || result.error.message).not.toMatch(/hunter2/)
  })

  it('is complete even if your own code calls execute without one', async () => {
    const tool = defineTool({
      ...whoami,
      execute: (_args, { callId, idempotencyKey, signal, values, progress }) => {
        progress('without a listener')
        return { callId, idempotencyKey, aborted: signal.aborted, values }
      },
    })
    expect(await tool.execute({})).toEqual({ callId: '', idempotencyKey: '', aborted: false, values: {} })
  })

  it('reports progress, even through a destructured function', async () => {
    const progress = vi.fn()
    const tool = defineTool({ ...whoami, context: undefined, execute: (_args, { progress: report }) => report({ done: 1 }) })
    await callTool(tool, call, { progress })
    expect(progress).toHaveBeenCalledExactlyOnceWith({ done: 1 })
  })

  it('passes its values, signal and progress on to another call', async () => {
    const controller = new AbortController()
    const progress = vi.fn()
    const inner = defineTool({
      ...whoami,
      execute: async (_args, { values, signal, progress: report }) => {
        report('inner')
        controller.abort()
        return { values, aborted: signal.aborted }
      },
    })
    const outer = defineTool({ ...whoami, execute: (_args, context) => inner.execute({}, context) })
    const execution = outer.execute({}, { values: { user: 'ann' }, signal: controller.signal, progress })
    expect(await execution).toEqual({ values: { user: 'ann' }, aborted: true })
    expect(progress).toHaveBeenCalledWith('inner')
  })

  it('can be spread and keeps its signal and approval', async () => {
    const controller = new AbortController()
    const inner = defineTool({
      ...whoami,
      execute: async (_args, { values, signal }) => {
        controller.abort()
        return { values, aborted: signal.aborted }
      },
    })
    const outer = defineTool({
      ...whoami,
      execute: (_args, context) => inner.execute({}, { ...context, values: { user: 'bob' } }),
    })
    const execution = outer.execute({}, { values: { user: 'ann' }, signal: controller.signal })
    expect(await execution).toEqual({ values: { user: 'bob' }, aborted: true })
  })

  it('gives inner calls their own idempotency keys', async () => {
    const keys: string[] = []
    const inner = defineTool({ ...whoami, execute: (_args, { idempotencyKey }) => void keys.push(idempotencyKey) })
    const outer = defineTool({
      ...whoami,
      execute: async (_args, context) => {
        for (const id of ['a', 'b']) await callTool(inner, { ...call, id }, context)
      },
    })
    await callTool(outer, call, { values: { user: 'ann' }, idempotencyKey: 'key' })
    expect(keys).toEqual(['key/a', 'key/b'])
  })

  it('returns the same signal every time it is read', () => {
    const context = toContext()
    expect(context.signal).toBe(context.signal)
    expect(toContext(context)).toBe(context)
  })
})

describe('checkContext', () => {
  const user = Type.Object({ user: Type.String() })

  it.each([
    ['open', user],
    ['closed', { ...user, additionalProperties: false }],
  ])('ignores values that the tool does not declare: %s', async (_, schema) => {
    expect(await checkContext(schema, { user: 'ann', tenant: 't1' })).toEqual([])
    expect(await checkContext(schema, { tenant: 't1' })).toMatchObject([{ message: expect.stringContaining('user') }])
  })

  it('leaves values out of issues', async () => {
    const issues = await checkContext(user, { user: { secret: 'hunter2' } })
    expect(issues).toHaveLength(1)
    expect(JSON.stringify(issues)).not.toContain('hunter2')
  })
})
