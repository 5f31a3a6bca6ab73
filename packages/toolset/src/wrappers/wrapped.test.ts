import { callTool, type Tool, ToolError } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineAction, defineTool, wrapped } from '../../test/loose.ts'
import { call, definitionError, echo, sourceOf } from '../../test/tools.ts'

describe('wrapped', () => {
  it('runs around a call with the tool, the validated args and the context', async () => {
    const seen: unknown[] = []
    const source = wrapped(sourceOf('mail', 'send'), ({ tool, args, context }, next) => {
      seen.push(tool.name, args, context.callId, context.values)
      return next()
    })
    const options = { values: { user: 'ann' } }
    expect(await call(source.tools(), 'send', { text: 'hi', extra: 1 }, options)).toMatchObject({ output: 'send:hi' })
    expect(seen).toEqual(['send', { text: 'hi' }, '1', { user: 'ann' }])
  })

  it('does not run for invalid arguments', async () => {
    let count = 0
    const source = wrapped(sourceOf('mail', 'send'), (_call, next) => {
      count++
      return next()
    })
    expect(await call(source.tools(), 'send', { text: 1 })).toMatchObject({ error: { code: 'invalid_arguments' } })
    expect(count).toBe(0)
  })

  it('also runs around a direct call to execute', () => {
    const [tool] = wrapped(sourceOf('mail', 'send'), (_call, next) => `<${next()}>`).tools()
    expect(tool?.execute({ text: 'hi' })).toBe('<send:hi>')
  })

  it('may change the args, which are not validated again', async () => {
    const source = wrapped(sourceOf('mail', 'send'), ({ args }, next) => next({ text: `${args.text}!` }))
    expect(await call(source.tools(), 'send', { text: 'hi' })).toMatchObject({ output: 'send:hi!' })
  })

  it('can refuse a call, so that the tool does not run and the model reads why', async () => {
    const source = wrapped(sourceOf('mail', 'send'), () => {
      throw new ToolError('execution_failed', 'No mail on Sundays.', { reason: 'closed' })
    })
    expect(await call(source.tools(), 'send')).toMatchObject({ error: { message: 'No mail on Sundays.', reason: 'closed' } })
  })

  it('can be nested, with the outer function first', async () => {
    const order: string[] = []
    const log = (name: string) => (_call: unknown, next: () => unknown) => {
      order.push(`${name} in`)
      const output = next()
      order.push(`${name} out`)
      return output
    }
    const source = wrapped(wrapped(sourceOf('mail', 'send'), log('inner')), log('outer'))
    await call(source.tools(), 'send')
    expect(order).toEqual(['outer in', 'inner in', 'inner out', 'outer out'])
  })

  it('passes on thrown errors and rejections unchanged', async () => {
    const failure = new Error('broken')
    const fails = (execute: () => unknown) =>
      sourceOf('odd', defineTool({ name: 'fail', description: 'Fails.', args: Type.Object({}), execute }))
    const around = (source: ReturnType<typeof fails>) => wrapped(source, (_call, next) => next()).tools()[0] as Tool
    const throwing = around(
      fails(() => {
        throw failure
      }),
    )
    const rejecting = around(fails(() => Promise.reject(failure)))
    expect(() => throwing.execute({})).toThrow(failure)
    await expect(rejecting.execute({})).rejects.toBe(failure)
  })

  it('runs once per attempt', async () => {
    let attempts = 0
    const flaky = defineTool({
      name: 'flaky',
      description: 'Fails once.',
      args: Type.Object({}),
      effect: 'read',
      maxRetries: 1,
      execute: () => 'done',
    })
    const source = wrapped(sourceOf('odd', flaky), (_call, next) => {
      attempts++
      if (attempts === 1) throw new ToolError('execution_failed', 'Again.', { retryable: true })
      return next()
    })
    expect(await call(source.tools(), 'flaky')).toMatchObject({ output: 'done' })
    expect(attempts).toBe(2)
  })

  it("does not replace the check of an action's output", async () => {
    const add = defineAction({
      name: 'add',
      description: 'Adds.',
      args: Type.Object({}),
      output: Type.Object({}, { minProperties: 1 }),
      execute: () => ({ sum: 1 }),
    })
    const [tool] = wrapped(sourceOf('math', add), () => ({})).tools()
    expect(await callTool(tool as Tool, { id: '1', name: 'add', args: {} })).toMatchObject({ error: { code: 'invalid_output' } })
  })

  it('returns the same tools at every call, with all their traits', () => {
    const send = { ...echo('send'), effect: 'write', category: 'mail' } as Tool
    const source = wrapped(sourceOf('mail', send), (_call, next) => next())
    expect(source.tools()[0]).toBe(source.tools()[0])
    expect(source.tools()[0]).toMatchObject({ name: 'send', effect: 'write', category: 'mail', args: send.args })
  })

  it('requires a function', () => {
    expect(definitionError(() => wrapped(sourceOf('mail', 'send'), undefined as never))).toMatch(
      /^wrapped: around must be a function/,
    )
  })
})
