import { type TObject, Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { defineAction, parallel } from '../../test/tools.ts'
import { callTool } from '../call/call.ts'
import type { ToolContext } from '../define/context.ts'

type Execute = (context: ToolContext) => unknown

function weather(execute: Execute = () => ({ degrees: 21 })) {
  return defineAction({
    name: 'get_weather',
    description: 'Gets the weather.',
    effect: 'read',
    args: Type.Object({ city: Type.String() }, { additionalProperties: false }),
    output: Type.Object({ degrees: Type.Number() }),
    execute: (_args, context) => execute(context) as never,
  })
}

function events(execute: Execute = () => ({ titles: ['Fair'] })) {
  return defineAction({
    name: 'list_events',
    description: 'Lists events.',
    args: Type.Object({ city: Type.String(), limit: Type.Integer({ default: 3 }) }),
    output: Type.Object({ titles: Type.Array(Type.String()) }),
    execute: (_args, context) => execute(context) as never,
  })
}

const call = { id: 'call_1', name: 'plan', args: { city: 'Oslo' } }

describe('parallel', () => {
  it('returns the outputs by key, and passes each action only its own arguments', async () => {
    const plan = parallel('plan', { weather: weather(), events: events() })
    expect(await callTool(plan, call)).toMatchObject({
      ok: true,
      output: { weather: { degrees: 21 }, events: { titles: ['Fair'] } },
      tags: [{ tag: 'defaulted', path: '/limit' }],
    })
    expect(plan).toMatchObject({ kind: 'action', effect: undefined, description: expect.stringContaining('At the same time') })
    expect(plan.arguments.map(({ name, required }) => [name, required])).toEqual([
      ['city', true],
      ['limit', false],
    ])
  })

  it('runs all actions at the same time', async () => {
    let meet: (output: unknown) => void = () => {}
    const first = () => new Promise((resolve) => (meet = resolve))
    const second = () => {
      meet({ degrees: 1 })
      return { titles: [] }
    }
    const plan = parallel('plan', { weather: weather(first), events: events(second) })
    expect(await callTool(plan, call)).toMatchObject({ ok: true, output: { weather: { degrees: 1 } } })
  })

  it('stops the others at the first failure, and names the completed steps', async () => {
    const stopped = vi.fn()
    const hang = ({ signal }: ToolContext) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped()
          reject(signal.reason)
        })
      })
    let noted: (value: unknown) => void = () => {}
    const afterNote = new Promise((resolve) => {
      noted = resolve
    })
    const fail = async () => {
      await afterNote
      await new Promise(setImmediate)
      throw new Error('no connection')
    }
    const note = defineAction({
      name: 'note',
      description: 'Notes.',
      args: Type.Object({}),
      output: Type.Object({}),
      hooks: { afterExecute: () => noted(undefined) },
      execute: () => ({}),
    })
    const plan = parallel('plan', { note, weather: weather(hang), events: events(fail) })
    expect(await callTool(plan, call)).toMatchObject({
      error: {
        code: 'execution_failed',
        message:
          '"plan" stopped at step "events (list_events)": "list_events" failed: no connection. Completed steps: note. Interrupted steps, which may have taken effect: weather (get_weather).',
      },
    })
    expect(stopped).toHaveBeenCalledOnce()
  })

  it('gives each action its own idempotency key', async () => {
    const keys: string[] = []
    const note =
      (output: object) =>
      ({ idempotencyKey }: ToolContext) => {
        keys.push(idempotencyKey)
        return output
      }
    const plan = parallel('plan', { a: weather(note({ degrees: 1 })), b: events(note({ titles: [] })) })
    await callTool(plan, call, { idempotencyKey: 'key' })
    expect(keys).toEqual(['key/a', 'key/b'])
  })

  it('stops all actions when the caller aborts', async () => {
    const controller = new AbortController()
    const hang = () => {
      queueMicrotask(() => controller.abort())
      return new Promise(() => {})
    }
    const plan = parallel('plan', { weather: weather(hang), events: events(hang) })
    expect(await callTool(plan, call, { signal: controller.signal })).toMatchObject({ error: { code: 'aborted' } })
  })

  it('is strict if one of the actions is strict', async () => {
    const strict = defineAction({
      ...{ name: 'other', description: 'Other.', strict: true, output: Type.Object({}), execute: () => ({}) },
      args: Type.Object({ city: Type.String() }),
    })
    const plan = parallel('plan', { weather: weather(), other: strict })
    expect(await callTool(plan, { ...call, args: { city: 'Oslo', zip: 1 } })).toMatchObject({
      error: { code: 'invalid_arguments' },
    })
  })

  it('requires the run-scoped values of all actions, even if their schemas are closed', async () => {
    const closed = (name: string) =>
      defineAction({
        ...{ name, description: 'Asks.', args: Type.Object({}), output: Type.Object({}), execute: () => ({}) },
        context: Type.Object({ [name]: Type.String() }, { additionalProperties: false }),
      })
    const plan = parallel('plan', { a: closed('user'), b: closed('bank') })
    expect(await callTool(plan, { ...call, args: {} }, { values: { user: 'ann', bank: 'b' } })).toMatchObject({ ok: true })
    expect(await callTool(plan, { ...call, args: {} }, { values: { user: 'ann' } })).toMatchObject({
      error: { code: 'invalid_context' },
    })
  })

  it.each<[string, () => unknown, RegExp]>([
    ['no actions', () => parallel('plan', {}), /parallel\("plan"\): no actions were passed/],
    ['a list', () => parallel('plan', [weather()] as never), /Write parallel\("name", { first, second }\)/],
    ['an action', () => parallel('plan', weather() as never), /Write parallel\("name", { first, second }\)/],
    ['nothing', () => parallel('plan', undefined as never), /Write parallel\("name", { first, second }\)/],
    ['a missing action', () => parallel('plan', { a: undefined } as never), /parallel\("plan"\): step a is not an action/],
    [
      'one argument declared in two ways',
      () => parallel('plan', { a: weather(), b: withArgs(Type.Object({ city: Type.Integer() })) }),
      /"get_weather" and "other" declare the argument "city" differently/,
    ],
    [
      'args that cannot be merged',
      () => parallel('plan', { a: weather(), b: withArgs({ type: 'object', anyOf: [] } as never) }),
      /the args of "other" use "anyOf"/,
    ],
    [
      'open args',
      () => parallel('plan', { a: weather(), b: withArgs(Type.Object({}, { additionalProperties: true })) }),
      /the args of "other" use "additionalProperties"/,
    ],
  ])('refuses %s', (_what, compose, words) => {
    expect(compose).toThrow(expect.objectContaining({ code: 'invalid_definition', message: expect.stringMatching(words) }))
  })
})

function withArgs(args: TObject) {
  return defineAction({ name: 'other', description: 'Other.', args, output: Type.Object({}), execute: () => ({}) })
}
