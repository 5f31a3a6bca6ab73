import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { defineAction } from '../../test/tools.ts'
import { callTool } from '../call/call.ts'
import { deriveTool } from './derive.ts'
import { toSpec } from './spec.ts'
import { isTool } from './tool.ts'

const afterExecute = vi.fn()
const pay = defineAction({
  name: 'pay',
  description: 'Pays.',
  args: Type.Object({ amount: Type.Number() }),
  output: Type.Object({ paid: Type.Number() }),
  context: Type.Object({ user: Type.String() }),
  hooks: { afterExecute },
  execute: ({ amount }) => ({ paid: amount }),
})

describe('deriveTool', () => {
  it('applies the changes and keeps everything else, including hooks and validation', async () => {
    const derived = deriveTool(pay, { name: 'pay_now', description: 'Pays at once.' })
    expect(isTool(derived)).toBe(true)
    expect(derived).toMatchObject({ kind: 'action', name: 'pay_now', description: 'Pays at once.', args: pay.args })
    expect(derived.arguments).toBe(pay.arguments)
    expect(toSpec(derived).function).toMatchObject({ name: 'pay_now', description: 'Pays at once.' })
    const call = { id: 'call_1', name: 'pay_now', args: { amount: 5 } }
    expect(await callTool(derived, call, { values: { user: 'ann' } })).toMatchObject({ ok: true, output: { paid: 5 } })
    expect(afterExecute).toHaveBeenCalledOnce()
    expect(await callTool(derived, call)).toMatchObject({ error: { code: 'invalid_context' } })
  })

  it('leaves the original tool unchanged, and freezes the derived tool', () => {
    const derived = deriveTool(pay, { name: 'other', needsApproval: true })
    expect(pay).toMatchObject({ name: 'pay' })
    expect(pay.needsApproval).toBeUndefined()
    expect(() => Object.assign(derived, { name: 'x' })).toThrow(TypeError)
  })

  it('can remove the context schema', async () => {
    const derived = deriveTool(pay, { context: null })
    expect(await callTool(derived, { id: 'call_1', name: 'pay', args: { amount: 5 } })).toMatchObject({ ok: true })
  })

  it('can replace execute, and keeps the validation', async () => {
    const derived = deriveTool(pay, { context: null, execute: () => ({ paid: 'nothing' }) })
    expect(await callTool(derived, { id: 'call_1', name: 'pay', args: { amount: 5 } })).toMatchObject({
      error: { code: 'invalid_output' },
    })
  })

  it.each([
    [{ name: 'not legal' }, /deriveTool\("pay"\): invalid tool name "not legal"/],
    [{ description: ' ' }, /deriveTool\("pay"\): description must be a non-empty string, got " "\./],
  ])('refuses %j', (changes, words) => {
    expect(() => deriveTool(pay, changes)).toThrow(
      expect.objectContaining({ code: 'invalid_definition', message: expect.stringMatching(words) }),
    )
  })
})

describe('a kind of your own', () => {
  it('sets a custom kind, and keeps it when the tool is derived again', async () => {
    const workflow = deriveTool(pay, { kind: 'workflow', context: null })
    expect([pay.kind, workflow.kind, deriveTool(workflow, { name: 'other' }).kind]).toEqual(['action', 'workflow', 'workflow'])
    expect(await callTool(workflow, { id: 'call_1', name: 'pay', args: { amount: 5 } })).toMatchObject({ ok: true })
  })

  it.each(['tool', 'action', 'lazy', 'factory', '', 'a b', 7])('refuses the kind %j', (kind) => {
    expect(() => deriveTool(pay, { kind: kind as string })).toThrow(
      `deriveTool("pay"): kind must be a word of your own, such as "workflow", got ${JSON.stringify(kind)}. Reserved kinds: tool, action, lazy, factory.`,
    )
  })
})

describe('deriveTool with invalid arguments', () => {
  it.each<[string, unknown[], string]>([
    [
      'a promise of a tool',
      [Promise.resolve(pay), { name: 'other' }],
      'the first argument must be a tool, got a promise. Await it first. Create it with defineTool.',
    ],
    ['no changes', [pay], 'deriveTool("pay"): the changes must be an object, got undefined.'],
    ['a name', [pay, 'other'], 'deriveTool("pay"): the changes must be an object, got "other".'],
    ['other arguments', [pay, { args: Type.Object({}) }], 'deriveTool("pay"): args can\'t be changed'],
    ['a misspelt change', [pay, { descripton: 'Pays.' }], "descripton can't be changed. These can: name, description"],
    ['a misspelt hook', [pay, { hooks: { beforeExcute: () => {} } }], 'deriveTool("pay"): hooks.beforeExcute is not a hook'],
  ])('refuses %s, and suggests a fix', (_, given, words) => {
    expect(() => deriveTool(...(given as [never, never]))).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
    expect(() => deriveTool(...(given as [never, never]))).toThrow(words)
  })
})
