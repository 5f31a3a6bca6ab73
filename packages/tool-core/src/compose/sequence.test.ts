import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { onFakeClock } from '../../test/clock.ts'
import { defineAction } from '../../test/tools.ts'
import { callTool } from '../call/call.ts'
import { image } from '../content/builders.ts'
import type { ToolContext } from '../define/context.ts'
import type { ActionHooks } from '../define/hooks.ts'
import type { Effect, ToolTraits } from '../define/traits.ts'
import { sequence } from './sequence.ts'

interface Step extends ToolTraits {
  hooks?: ActionHooks
  context?: object
  args?: object
  execute?: (args: { name: string; id: string }, context: ToolContext) => never
}

function findUser(step: Step = {}) {
  return defineAction({
    name: 'find_user',
    description: 'Finds a user.',
    args: Type.Object({ name: Type.String() }),
    output: Type.Object({ id: Type.String() }),
    execute: ({ name }) => ({ id: `id of ${name}` }),
    ...(step as object),
  })
}

function transfer(step: Step = {}) {
  return defineAction({
    name: 'transfer',
    description: 'Moves money.',
    args: Type.Object({ id: Type.String() }),
    output: Type.Object({ receipt: Type.String() }),
    execute: ({ id }) => ({ receipt: `for ${id}` }),
    ...(step as object),
  })
}

const call = { id: 'call_1', name: 'both', args: { name: 'Ann' } }

describe('sequence', () => {
  it('passes the output of the first action to the second', async () => {
    const both = sequence('both', findUser(), transfer())
    expect(await callTool(both, call)).toMatchObject({ ok: true, output: { receipt: 'for id of Ann' } })
    expect(await both.execute({ name: 'Bob' })).toEqual({ receipt: 'for id of Bob' })
  })

  it('removes members of an output that the next step does not declare, whatever their names', async () => {
    const found = findUser({ args: Type.Object({ name: Type.String() }), execute: () => ({ id: '1', note: 'x' }) as never })
    const args = Type.Object({ id: Type.String(), notes: Type.Optional(Type.String()) })
    const both = sequence('both', found, transfer({ args }))
    expect(await callTool(both, call)).toMatchObject({ ok: true, output: { receipt: 'for 1' } })
    expect(await callTool(both, { ...call, args: { nam: 'Ann' } })).toMatchObject({ error: { code: 'invalid_arguments' } })
  })

  it('has a description that lists the steps', () => {
    const both = sequence('both', findUser(), transfer())
    expect(both).toMatchObject({ kind: 'action', name: 'both', description: 'Finds a user. Then: Moves money.' })
    expect(both.arguments.map(({ name }) => name)).toEqual(['name'])
  })

  it('runs the hooks of each step, even if execute is called directly', async () => {
    const seen: string[] = []
    const first = findUser({ hooks: { beforeExecute: () => void seen.push('first') } })
    const second = transfer({ hooks: { afterExecute: () => void seen.push('second') } })
    await sequence('both', first, second).execute({ name: 'Ann' })
    expect(seen).toEqual(['first', 'second'])
  })

  it('names the failed step, and runs no step after it', async () => {
    const execute = vi.fn()
    const fail = () => {
      throw new Error('no such user')
    }
    const result = await callTool(sequence('both', findUser({ execute: fail }), transfer({ execute: execute as never })), call)
    expect(result).toMatchObject({
      error: { code: 'execution_failed', message: '"both" stopped at step "find_user": "find_user" failed: no such user' },
    })
    expect(execute).not.toHaveBeenCalled()
  })

  it("does not report a step's invalid output as a mistake of the model", async () => {
    const strict = transfer({ args: Type.Object({ id: Type.String({ maxLength: 3 }) }) })
    expect(await callTool(sequence('both', findUser(), strict), call)).toMatchObject({
      error: { code: 'execution_failed', message: expect.stringContaining('stopped at step "transfer"') },
    })
  })

  it('reports invalid arguments as a mistake of the model', async () => {
    const both = sequence('both', findUser(), transfer())
    expect(await callTool(both, { ...call, args: {} })).toMatchObject({
      error: { code: 'invalid_arguments', message: 'Invalid arguments for "both": must have required property \'name\'.' },
    })
  })

  it('names the completed steps when a later one fails', async () => {
    const fail = () => {
      throw new Error('declined')
    }
    const result = await callTool(sequence('both', findUser(), transfer({ execute: fail })), call)
    expect(result).toMatchObject({
      error: {
        message: '"both" stopped at step "transfer": "transfer" failed: declined. Completed steps: find_user.',
      },
    })
  })

  it('lets the first step repair its arguments before they are validated', async () => {
    const first = findUser({ hooks: { beforeValidate: () => ({ name: 'Ann' }) } })
    expect(await callTool(sequence('both', first, transfer()), { ...call, args: {} })).toMatchObject({
      output: { receipt: 'for id of Ann' },
    })
    const useless = findUser({ hooks: { beforeValidate: () => undefined } })
    expect(await callTool(sequence('both', useless, transfer()), { ...call, args: {} })).toMatchObject({
      error: { code: 'invalid_arguments' },
    })
  })

  it('is as strict as the first step, and uses toModelOutput of the last one', async () => {
    const shown = { toModelOutput: ({ receipt }: { receipt: string }) => `Receipt ${receipt}` }
    const both = sequence('both', findUser({ strict: true }), transfer(shown as Step))
    expect(await callTool(both, call)).toMatchObject({ modelOutput: 'Receipt for id of Ann' })
    expect(await callTool(both, { ...call, args: { name: 'Ann', zip: 1 } })).toMatchObject({
      error: { code: 'invalid_arguments' },
    })
  })

  it('has the limits of the last step for what the model sees', async () => {
    const shown = { toModelOutput: () => image({ mediaType: 'image/png', data: new Uint8Array(9) }), maxMediaBytes: 8 }
    expect(await callTool(sequence('both', findUser(), transfer(shown as Step)), call)).toMatchObject({
      modelOutput: [{ type: 'text', text: expect.stringContaining('at most 8 bytes') }],
    })
  })

  it('gives each step its own deadline', async () => {
    const both = sequence('both', findUser(), transfer({ timeoutMs: 10, execute: () => new Promise(() => {}) as never }))
    expect(await onFakeClock(() => callTool(both, call))).toMatchObject({
      error: { code: 'timeout', message: expect.stringContaining('stopped at step "transfer"') },
    })
  })

  it('aborts the running step when the caller aborts', async () => {
    const controller = new AbortController()
    const hold = (_args: unknown, { signal }: ToolContext) => {
      queueMicrotask(() => controller.abort())
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))) as never
    }
    const both = sequence('both', findUser(), transfer({ execute: hold }))
    expect(await callTool(both, call, { signal: controller.signal })).toMatchObject({ error: { code: 'aborted' } })
  })

  it('gives each step its own idempotency key', async () => {
    const keys: string[] = []
    const note = { beforeExecute: (_: object, { idempotencyKey }: ToolContext) => void keys.push(idempotencyKey) }
    await callTool(sequence('both', findUser({ hooks: note }), transfer({ hooks: note })), call, { idempotencyKey: 'key' })
    expect(keys).toEqual(['key/1', 'key/2'])
  })

  it('requires the run-scoped values of both steps before anything runs', async () => {
    const beforeExecute = vi.fn()
    const first = findUser({ context: Type.Object({ user: Type.String() }), hooks: { beforeExecute } })
    const both = sequence('both', first, transfer({ context: Type.Object({ bank: Type.String() }) }))
    const missing = await callTool(both, call, { values: { user: 'ann' } })
    expect(missing).toMatchObject({ error: { code: 'invalid_context', message: expect.stringContaining("'bank'") } })
    expect(beforeExecute).not.toHaveBeenCalled()
    expect(await callTool(both, call, { values: { user: 'ann', bank: 'b' } })).toMatchObject({ ok: true })
  })

  it.each<[Effect | undefined, Effect | undefined, Effect | undefined]>([
    ['read', 'read', 'read'],
    ['read', 'idempotent', 'idempotent'],
    ['read', undefined, undefined],
    ['write', undefined, 'write'],
    ['destructive', 'read', 'destructive'],
  ])('derives from the effects %s and %s the effect %s', (first, second, effect) => {
    expect(sequence('both', findUser({ effect: first }), transfer({ effect: second })).effect).toBe(effect)
    expect(sequence('both', findUser({ effect: second }), transfer({ effect: first })).effect).toBe(effect)
  })

  it('can be a step of another sequence', async () => {
    const notify = defineAction({
      name: 'notify',
      description: 'Notifies.',
      args: Type.Object({ receipt: Type.String() }),
      output: Type.Object({ sent: Type.Boolean() }),
      execute: ({ receipt }) => ({ sent: receipt.length > 0 }),
    })
    const all = sequence('all', sequence('both', findUser(), transfer()), notify)
    expect(await callTool(all, call)).toMatchObject({ ok: true, output: { sent: true } })
  })
})

describe('sequence with invalid arguments', () => {
  const light = { ...findUser(), kind: 'tool' }

  it.each<[string, unknown[], string]>([
    ['nothing', [], 'sequence("both"): no actions were passed. Write sequence("name", first, second).'],
    ['a list', [[findUser(), transfer()]], 'sequence("both"): step 1 is not an action.'],
    ['an action that is not there', [findUser(), undefined], 'sequence("both"): step 2 is not an action.'],
    ['a light tool', [light, transfer()], 'step 1 is a plain tool, whose output has no schema. Define it with defineAction'],
  ])('refuses %s, and suggests a fix', (_, steps, words) => {
    const define = () => (sequence as (name: string, ...steps: unknown[]) => unknown)('both', ...steps)
    expect(define).toThrow(expect.objectContaining({ code: 'invalid_definition', message: expect.stringContaining(words) }))
  })
})
