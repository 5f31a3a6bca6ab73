import type { LM } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { answer, call } from '../../test/tools.ts'
import { AgentError } from '../errors.ts'
import type { Budget } from '../model/spending.ts'
import { createReactAgent } from '../react-agent.ts'
import type { PausedRun } from './paused-run.ts'

const pay = defineTool({
  name: 'pay',
  description: 'Pay.',
  args: Type.Object({ amount: Type.Integer() }),
  effect: 'write',
  needsApproval: true,
  execute: ({ amount }) => `Paid ${amount}.`,
})
const list = defineTool({
  name: 'list',
  description: 'List.',
  args: Type.Object({}),
  effect: 'read',
  execute: () => 'x'.repeat(200),
})
const options = { tools: [pay, list], signature: answer, maxResultLength: 100, budget: { tokens: 1_000 } }

const steady: LM = { generate: async () => ({ text: 'Done.', toolCalls: [] }) }
const resuming = await createReactAgent({ ...options, lm: steady })

/** Returns a paused run in which no part is empty. */
async function pause(budget: Budget = options.budget): Promise<PausedRun> {
  const usage = { inputTokens: 10 }
  const lm = scriptedLM([
    { toolCalls: [call('list', {}, 'l1')], usage },
    { toolCalls: [call('list', {}, 'l2'), call('pay', { amount: 5 }, 'p1'), call('pay', { amount: 6 }, 'p2')], usage },
  ])
  const agent = await createReactAgent({ ...options, lm, pauses: { expiresInMs: 86_400_000 } })
  const history = [{ role: 'user', content: 'Hi' } as const, { role: 'assistant', content: 'Hello.' } as const]
  const waiting = await agent.run({ question: '?' }, { history, budget }).catch((thrown: unknown) => thrown)
  const error = await agent.resume((waiting as AgentError).paused as PausedRun, { p2: false }).catch((thrown: unknown) => thrown)
  const unknown = { code: 'unknown_outcome', callId: 'u', name: 'pay', args: {}, idempotencyKey: 'u' }
  return JSON.parse(JSON.stringify({ ...(error as AgentError).paused, unknownCalls: [unknown] }))
}

const whole = await pause()

/** The JSON pointers of all values, without escapes. */
const places = placesIn(whole)

it('can be resumed unchanged', async () => {
  expect((await resuming.resume(whole, { p1: true })).outputs).toEqual({ answer: 'Done.' })
})

it('throws only AgentErrors, whatever replaces a part', async () => {
  const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__":'))
  const value = fc.oneof(fc.constantFrom(undefined, null, {}, [], [null], '', 'x', 0, -1, 1.5, 1e21, true), json)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), value, async (place, odd) => {
      const error = await resuming.resume(withValue(whole, place, odd) as PausedRun, { p1: true }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      if (error !== undefined) expect(error).toBeInstanceOf(AgentError)
    }),
    { numRuns: process.env.X_FULL ? 3_000 : 600 },
  )
})

it('can be resumed with an infinite budget', async () => {
  const paused = await pause({ tokens: Number.POSITIVE_INFINITY, inputTokens: 1_000 })
  expect(paused.budget).toEqual({ inputTokens: 1_000 })
  expect((await resuming.resume(paused, { p1: true })).outputs).toEqual({ answer: 'Done.' })
})

it('continues with its own budget, or with the one that is passed', async () => {
  const paused = await pause({ tokens: 20 })
  for (const own of [{}, { budget: undefined }])
    await expect(resuming.resume(paused, { p1: true }, own)).rejects.toMatchObject({ code: 'budget_exceeded' })
  expect((await resuming.resume(paused, { p1: true }, { budget: {} })).outputs).toEqual({ answer: 'Done.' })
})

it.each([
  ['budget', null],
  ['budget', { tokens: -1 }],
  ['inputs', {}],
  ['usage', null],
  ['earlier', 99],
  ['response', null],
  ['decided', [{}]],
  ['finished', [{ observation: { callId: 'x', name: 'x', ok: true, text: '', parts: [{ type: 'image' }] } }]],
  ['messages', [{ role: 'user', content: '', parts: [{ type: 'file', mediaType: 'x', source: { url: 'file:///x' } }] }]],
  ['results', { l1: 5 }],
  ['counted', { pay: 5 }],
] as const)('rejects a paused run whose %s is %j', async (part, odd) => {
  const expected = { code: 'invalid_paused_run', message: expect.stringContaining(part) }
  await expect(resuming.resume({ ...whole, [part]: odd } as never, { p1: true })).rejects.toMatchObject(expected)
})

it.each([null, undefined, 5])('rejects %j as decisions', async (decisions) => {
  await expect(resuming.resume(whole, decisions as never)).rejects.toMatchObject({ code: 'approval_invalid' })
})

function placesIn(value: unknown, place: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [place]
  return [place, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...place, key]))]
}

function withValue(value: unknown, [key, ...rest]: readonly string[], odd: unknown): unknown {
  if (key === undefined) return odd
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[key] = withValue(copy[key], rest, odd)
  return copy
}
