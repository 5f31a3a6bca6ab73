import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import { expect, it } from 'vitest'
import type { Domain } from './domains/domain.ts'
import { openSession } from './session.ts'

const domainOf = (tools: ReturnType<Domain['createTools']>): Domain => {
  return { name: 'any', instructions: '', createTools: () => tools, requests: [] }
}
const settings = { database: ':memory:' }

it('tells nothing of a call that was stopped', async () => {
  const controller = new AbortController()
  const wait = defineTool({
    name: 'wait',
    description: 'Wait',
    args: Type.Object({}),
    execute: () => new Promise<string>(() => controller.abort()),
  })
  const lm = scriptedLM([{ text: '', toolCalls: [{ id: '1', name: 'wait', arguments: '{}' }] }])
  const session = await openSession({ name: 'any', lm, domains: [domainOf([wait])], settings })
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
  await expect(openSession({ name: 'any', lm: scriptedLM([]), domains, settings })).rejects.toThrow('no')
  expect(closed).toEqual(['works', 'fails'])
})
