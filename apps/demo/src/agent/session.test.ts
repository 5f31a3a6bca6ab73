import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import { expect, it } from 'vitest'
import { type Domain, userContext } from '../domains/domain.ts'
import type { Connect } from '../sql/database.ts'
import { openSession } from './session.ts'

const domainOf = (tools: ReturnType<Domain['createTools']>): Domain => {
  return { name: 'any', instructions: '', createTools: () => tools, scenarios: [] }
}
const place = { kind: 'sqlite' as const, file: ':memory:' }

it('emits no event of an aborted call', async () => {
  const controller = new AbortController()
  const wait = defineTool({
    name: 'wait',
    description: 'Wait',
    args: Type.Object({}),
    execute: () => new Promise<string>(() => controller.abort()),
  })
  const lm = scriptedLM([{ text: '', toolCalls: [{ id: '1', name: 'wait', arguments: '{}' }] }])
  const session = await openSession({ name: 'any', lm, domains: [domainOf([wait])], place })
  const events: string[] = []
  const asked = session.ask('Wait', { signal: controller.signal, onEvent: ({ type }) => events.push(type) })
  await expect(asked).rejects.toMatchObject({ code: 'aborted' })
  expect(events.at(-1)).toBe('call_started')
})

it('closes every source when one cannot be opened', async () => {
  const closed: string[] = []
  const sourceOf = (name: string, open: () => Promise<void>) => {
    return { name, tools: () => [], open, close: async () => void closed.push(name) }
  }
  const fails = sourceOf('fails', () => Promise.reject(new Error('no')))
  const domains = [domainOf([sourceOf('works', async () => {}), fails])]
  await expect(openSession({ name: 'any', lm: scriptedLM([]), domains, place })).rejects.toThrow('no')
  expect(closed).toEqual(['works', 'fails'])
})

it('passes the user to the tools and the earlier messages to the model', async () => {
  const whoami = defineTool({
    name: 'whoami',
    description: 'Who asks',
    args: Type.Object({}),
    context: userContext,
    execute: (_, { values }) => values.user_id,
  })
  const lm = scriptedLM([
    { text: '', toolCalls: [{ id: '1', name: 'whoami', arguments: '{}' }] },
    { text: 'You are bob.' },
    { text: 'As I said.' },
  ])
  const session = await openSession({ name: 'any', lm, domains: [domainOf([whoami])], place })
  const first = await session.ask('Who am I?', { user: 'bob' })
  expect(first.calls).toEqual([{ tool: 'whoami', args: {}, ok: true }])
  expect(lm.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'bob' })
  await session.ask('And now?', { history: first.trajectory })
  expect(lm.requests[2]?.messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
    'Who am I?',
    'And now?',
  ])
  await session.close()
})

it('rejects a request with the reason when the database cannot be opened, and hides the reason from the model', async () => {
  const lookUp = (connect: Connect) =>
    defineTool({
      name: 'look_up',
      description: 'Look up',
      args: Type.Object({}),
      execute: () => connect({ name: 'any', version: 1, statements: [], fill: async () => {} }).then(() => 'found'),
    })
  const domain: Domain = { name: 'any', instructions: '', createTools: ({ connect }) => [lookUp(connect)], scenarios: [] }
  const lm = scriptedLM([{ text: '', toolCalls: [{ id: '1', name: 'look_up', arguments: '{}' }] }, { text: 'Hello.' }])
  const session = await openSession({ name: 'any', lm, domains: [domain], place: { kind: 'sqlite', file: import.meta.dirname } })
  await expect(session.ask('Look up')).rejects.toMatchObject({ name: 'SqlError', code: 'cannot_open' })
  expect((await session.ask('Hello')).answer).toBe('Hello.')
  expect(JSON.stringify(lm.requests)).not.toContain(import.meta.dirname)
  await session.close()
})

it('records the calls that were made before the model failed', async () => {
  const note = defineTool({ name: 'note', description: 'Note', args: Type.Object({}), execute: () => 'noted' })
  const failing = scriptedLM([{ text: '', toolCalls: [{ id: '1', name: 'note', arguments: '{}' }] }])
  const session = await openSession({ name: 'any', lm: failing, domains: [domainOf([note])], place })
  const record = await session.ask('Note it')
  expect(record).toMatchObject({ answered: false, calls: [{ tool: 'note', ok: true }], failure: { code: 'model_failed' } })
  expect(record.trajectory?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'noted' })
  await session.close()
})

it('approves calls that require approval, unless approve is given', async () => {
  const paid: string[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pay',
    args: Type.Object({ payee: Type.String() }),
    needsApproval: true,
    execute: ({ payee }) => paid.push(payee),
  })
  const turn = (payee: string) => ({ text: '', toolCalls: [{ id: payee, name: 'pay', arguments: JSON.stringify({ payee }) }] })
  const lm = scriptedLM([turn('ada'), { text: 'Paid.' }, turn('bob'), { text: 'Not paid.' }])
  const session = await openSession({ name: 'any', lm, domains: [domainOf([pay])], place })
  await session.ask('Pay Ada')
  const { calls } = await session.ask('Pay Bob', { approve: () => false })
  expect([paid, calls]).toEqual([['ada'], [{ tool: 'pay', args: { payee: 'bob' }, ok: false }]])
  await session.close()
})
