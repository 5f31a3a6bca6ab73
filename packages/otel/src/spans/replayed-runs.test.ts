import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LM } from '@x/adapters'
import { createFileEngine, type DurableRun, untilStopped } from '@x/durable'
import { defineTool, type Tool } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it, onTestFinished } from 'vitest'
import { agentOf, call, collectTelemetry, getWeather } from '../../test/telemetry.ts'
import { traceRun } from './trace-run.ts'

const NONE = Type.Object({})

const pay = defineTool({
  name: 'pay',
  description: 'Pays a bill.',
  args: NONE,
  effect: 'write',
  needsApproval: true,
  execute: () => 'Paid.',
})

/** Its first call needs no approval, its second one does. */
const program = defineTool({
  name: 'program',
  description: 'Asks for the weather, then pays.',
  args: NONE,
  nested: ['get_weather', 'pay'],
  execute: async (_, context) => {
    await context.call({ name: 'get_weather', args: { city: 'Bergen' } })
    return await context.call({ name: 'pay', args: {} })
  },
})

/** The calls of each turn. */
const TURNS = [
  [call('get_weather', { city: 'Oslo' }, 'c1'), call('get_weather', '{', 'c2')],
  [call('pay', {}, 'c3')],
  [call('program', {}, 'c4')],
  [call('pay', {}, 'c5')],
]

/** Each execution of a run on it starts with the first turn, and replays what is recorded. */
const lm: LM = {
  generate: async ({ messages }) => {
    const toolCalls = TURNS[messages.filter(({ role }) => role === 'assistant').length]
    return toolCalls === undefined ? { text: 'Done.', toolCalls: [] } : { text: '', toolCalls }
  },
}

/** Runs the agent durably until it has ended. Each of its executions is traced. Returns what was recorded. */
async function traceDurably(decisions: Readonly<Record<string, boolean>>) {
  const folder = mkdtempSync(join(tmpdir(), 'x-otel-'))
  const { tracer, meter, spans, points } = collectTelemetry()
  const agent = await agentOf([], { lm, tools: [getWeather, program, pay] as readonly Tool[] })
  const fn = async (question: string, run: DurableRun) =>
    (await traceRun(agent.run({ question }, run), { tracer, meter })).outputs.answer
  const engine = await createFileEngine({ folder, fn })
  onTestFinished(async () => {
    await engine.close()
    rmSync(folder, { recursive: true })
  })
  await engine.start('r', '?')
  for (const [name, decision] of Object.entries(decisions)) {
    const { waitsFor } = await untilStopped(engine, 'r')
    expect(waitsFor).toMatchObject([{ name }])
    await engine.signal('r', name, decision)
  }
  expect(await engine.result('r')).toBe('Done.')
  return { spans: spans(), points }
}

it('has a span and a measured duration for each execution of a call, but none for a replayed call', async () => {
  const decisions = { 'approval-c3': true, 'nested-c4/approval-c4.2': true, 'approval-c5': false }
  const { spans, points } = await traceDurably(decisions)
  const ids = spans.flatMap(({ attributes }) => attributes['gen_ai.tool.call.id'] ?? [])
  // The program was executed again from its start, after the decision about its second call.
  expect(ids.sort()).toEqual(['c1', 'c3', 'c4', 'c4', 'c4.1', 'c4.2'])
  expect(spans.filter(({ name }) => name === 'chat').length).toBe(5)
  expect(spans.filter(({ name }) => name === 'invoke_agent guide').length).toBe(4)
  const measured = await points('gen_ai.execute_tool.duration')
  const counts = measured.map(({ attributes, count }) => [attributes['gen_ai.tool.name'], count])
  expect(Object.fromEntries(counts)).toEqual({ get_weather: 2, pay: 2, program: 2 })
  const events = spans.flatMap(({ events: ofSpan }) => ofSpan)
  const notRun = events.filter(({ name }) => name === 'x.call.not_run')
  expect(notRun.map(({ attributes }) => attributes?.['gen_ai.tool.call.id'])).toEqual(['c2', 'c5'])
  for (const type of ['x.approval.requested', 'x.approval.decided']) {
    const approvals = events.filter(({ name }) => name === type)
    expect(approvals.map(({ attributes }) => attributes?.['gen_ai.tool.call.id'])).toEqual(['c3', 'c4.2', 'c5'])
  }
})
