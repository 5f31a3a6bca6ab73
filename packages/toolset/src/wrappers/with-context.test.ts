import { sequence, type Tool } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineAction, defineTool, withContext } from '../../test/loose.ts'
import { call, definitionError, echo, namesOf, sourceOf } from '../../test/tools.ts'

const whoami = defineTool({
  name: 'whoami',
  description: 'Who.',
  args: Type.Object({}),
  context: Type.Object({ user: Type.String({ minLength: 2 }), tenant: Type.Optional(Type.String()) }),
  execute: (_args, { values: { user, tenant = 'acme' } }) => `${user} of ${tenant}`,
})
const bank = sourceOf('bank', whoami)

describe('withContext', () => {
  it('supplies values to the tools, so that callers need not pass them', async () => {
    const tools = withContext(bank, { user: 'ann' }).tools()
    expect(await call(tools, 'whoami')).toMatchObject({ ok: true, output: 'ann of acme' })
    expect(await call(tools, 'whoami', {}, { values: { tenant: 'acme' } })).toMatchObject({ output: 'ann of acme' })
    expect(await call(bank.tools(), 'whoami')).toMatchObject({ error: { code: 'invalid_context' } })
  })

  it("passes the caller's approve on, even to the steps of a sequence", async () => {
    const options = { context: Type.Object({ user: Type.String() }), args: Type.Object({}), output: Type.Object({}) }
    const look = defineAction({ ...options, name: 'look', description: 'Looks.', execute: () => ({}) })
    const pay = defineAction({ ...options, name: 'pay', description: 'Pays.', needsApproval: true, execute: () => ({}) })
    const tools = withContext(sourceOf('bank', sequence('look_and_pay', look, pay)), { user: 'ann' }).tools()
    expect(await call(tools, 'look_and_pay', {}, { approve: () => true })).toMatchObject({ ok: true })
    expect(await call(tools, 'look_and_pay')).toMatchObject({ error: { code: 'approval_required' } })
  })

  it("lets a bound value override the caller's", async () => {
    const tools = withContext(bank, { user: 'ann' }).tools()
    expect(await call(tools, 'whoami', {}, { values: { user: 'eve' } })).toMatchObject({ output: 'ann of acme' })
    expect(await tools[0]?.execute({}, { values: { user: 'eve' } })).toBe('ann of acme')
  })

  it("leaves only unbound values in the tools' context schema, or no schema", () => {
    const [half] = withContext(bank, { user: 'ann' }).tools()
    expect(half?.context).toMatchObject({ properties: { tenant: { type: 'string' } }, required: [] })
    const [whole] = withContext(bank, { user: 'ann', tenant: 'acme' }).tools()
    expect(whole?.context).toBeUndefined()
    expect(whoami.context?.required).toEqual(['user'])
  })

  it('still requires unbound values from the caller', async () => {
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      args: Type.Object({}),
      context: Type.Object({ user: Type.String(), token: Type.String() }),
      execute: (_args, { values }) => values.token,
    })
    const tools = withContext(sourceOf('bank', pay), { user: 'ann' }).tools()
    expect(await call(tools, 'pay')).toMatchObject({
      error: { code: 'invalid_context', message: expect.stringContaining("'token'") },
    })
  })

  it('fails the call for an invalid value, and names the key but not the value', async () => {
    const tools = withContext(bank, { user: 7_654_321 }).tools()
    for (const attempt of [1, 2]) {
      const result = await call(tools, 'whoami', {}, { callId: String(attempt) })
      expect(result).toMatchObject({
        ok: false,
        error: {
          code: 'invalid_context',
          message: '"whoami" cannot run: a value bound with withContext is invalid: user must be string.',
        },
      })
      expect(JSON.stringify(result)).not.toContain('7654321')
    }
  })

  it('copies the values when they are bound', async () => {
    const values = { user: 'ann' }
    const source = withContext(bank, values)
    values.user = 'eve'
    expect(await call(source.tools(), 'whoami')).toMatchObject({ output: 'ann of acme' })
  })

  it('lets the inner of two wrappers override the outer one', async () => {
    const tools = withContext(withContext(bank, { user: 'ann' }), { user: 'eve', tenant: 'acme' }).tools()
    expect(await call(tools, 'whoami')).toMatchObject({ output: 'ann of acme' })
  })

  it('passes on the rest of the context: id, key, progress, and the signal if it is read', async () => {
    const seen: unknown[] = []
    const probe = defineTool({
      name: 'probe',
      description: 'Looks.',
      args: Type.Object({}),
      execute: (_args, { callId, idempotencyKey, signal, progress }) => {
        progress('half')
        seen.push(callId, idempotencyKey, signal.aborted)
      },
    })
    const [tool] = withContext(sourceOf('x', probe), { user: 'ann' }).tools()
    const { signal } = new AbortController()
    await tool?.execute({}, { callId: '7', idempotencyKey: 'k', signal, progress: (update) => seen.push(update) })
    expect(seen).toEqual(['half', '7', 'k', false])
    let reads = 0
    const lazy = {
      get signal() {
        reads++
        return signal
      },
    }
    await withContext(sourceOf('x', echo('quiet')), { user: 'ann' })
      .tools()[0]
      ?.execute({}, lazy)
    expect(reads).toBe(0)
  })

  it('supplies the values to the hooks of an action too', async () => {
    const seen: unknown[] = []
    class Hooks {
      beforeExecute(_args: object, { values }: { values: object }) {
        seen.push(values)
      }
    }
    const act = defineAction({
      name: 'act',
      description: 'Acts.',
      args: Type.Object({}),
      output: Type.Object({}),
      context: Type.Object({ user: Type.String() }),
      hooks: new Hooks(),
      execute: () => ({}),
    })
    const tools = withContext(sourceOf('x', act), { user: 'ann' }).tools()
    expect(await call(tools, 'act', {}, { values: { tenant: 'acme' } })).toMatchObject({ ok: true })
    expect(seen).toEqual([{ tenant: 'acme', user: 'ann' }])
  })

  it('splits the context of a sequence for each step', async () => {
    const step = (name: string, key: string) =>
      defineAction({
        name,
        description: 'A step.',
        args: Type.Object({}),
        output: Type.Object({}),
        context: Type.Object({ [key]: Type.String() }),
        execute: (_args, { values }) => ({ ...values }),
      })
    const both = sequence('both', step('one', 'user'), step('two', 'tenant'))
    const bound = withContext(sourceOf('x', both as Tool), { user: 'ann' }).tools()
    expect(await call(bound, 'both')).toMatchObject({ error: { message: expect.stringContaining("'tenant'") } })
    expect(await call(bound, 'both', {}, { values: { tenant: 'acme' } })).toMatchObject({
      output: { user: 'ann', tenant: 'acme' },
    })
    const whole = withContext(sourceOf('x', both as Tool), { user: 'ann', tenant: 'acme' }).tools()
    expect(whole[0]?.context).toBeUndefined()
  })

  it('returns the same tools at every call', () => {
    const source = withContext(bank, { user: 'ann' })
    expect(source.tools()[0]).toBe(source.tools()[0])
    expect(namesOf(source.tools())).toEqual(['whoami'])
  })

  it('refuses a context schema that is more than a list of properties', () => {
    const odd = { ...whoami, context: { type: 'object', anyOf: [{ required: ['user'] }] } } as unknown as Tool
    expect(definitionError(() => withContext(sourceOf('x', odd), { user: 'ann' }).tools())).toBe(
      'withContext: the context schema of "whoami" uses anyOf, which cannot be split into bound and unbound values. Declare each value as a property.',
    )
  })

  it.each([undefined, null, 'ann'])('refuses %j in place of values', (values) => {
    expect(definitionError(() => withContext(bank, values as never))).toMatch(/^withContext: the values must be an object/)
  })

  it('passes a tool only the values that it declares', async () => {
    const seen: unknown[] = []
    const spy = defineTool({
      ...{ name: 'spy', description: 'Looks.', args: Type.Object({}) },
      execute: (_args, { values }) => void seen.push(values),
    })
    await withContext(sourceOf('x', spy), { user: 'ann', secret: 's' })
      .tools()[0]
      ?.execute({}, { values: { user: 'eve' } })
    expect(seen).toEqual([{ user: 'eve' }])
  })

  it('protects validated values from changes by tools', async () => {
    const user = { name: 'ann' }
    const rename = defineTool({
      ...{ name: 'rename', description: 'Renames.', args: Type.Object({}) },
      context: Type.Object({ user: Type.Object({ name: Type.String() }) }),
      execute: (_args, { values }) => Object.assign(values.user, { name: 'eve' }),
    })
    const tools = withContext(sourceOf('x', rename), { user }).tools()
    expect(await call(tools, 'rename')).toMatchObject({ ok: false })
    expect(user).toEqual({ name: 'ann' })
  })

  it('is not affected by a hostile key', async () => {
    const values = JSON.parse('{ "__proto__": { "polluted": true }, "user": "ann" }') as object
    expect(await call(withContext(bank, values).tools(), 'whoami')).toMatchObject({ output: 'ann of acme' })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})
