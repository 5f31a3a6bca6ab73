/** Tests paused runs in which a client has changed what was recorded inside a call. */

import { scriptedLM } from '@x/lm/testing'
import { defineTool, InputRequired, inputOf, type ToolContext } from '@x/tool-core'
import { Type } from 'typebox'
import { beforeAll, expect, it } from 'vitest'
import { agentFor, pause, payments, resultsOf } from '../../test/approval/payments.ts'
import { add, openProgram, programTool, runProgram } from '../../test/nested/program-tool.ts'
import { answer, call } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'
import type { PausedRun } from './paused-run.ts'

const ask = { key: 'day', message: 'Which day?', schema: Type.Object({ day: Type.Integer() }) }

async function body({ call: make, ask: put }: ToolContext) {
  const sums = await Promise.all([1, 2].map((a) => make({ name: 'add', args: { a, b: 1 } })))
  const { day } = await put(ask)
  const none = await make({ name: 'none' }).catch((error) => error.code)
  const paid = await make({ name: 'pay', args: { amount: 5 } })
  const inner: unknown = await make({ name: 'inner' }).catch((error) => error.code)
  return { sums, day, none, paid, inner }
}

const tools = () => [
  add(),
  payments().pay,
  programTool(({ call: make }) => make({ name: 'pay', args: { amount: 9 } }), { name: 'inner' }),
]

const resume = async (paused: PausedRun, decisions: object) =>
  (await openProgram(body, tools(), { isResumed: true })).agent.resume(paused, decisions as never)

/** The run waits for the second payment, so that it contains all kinds of records. */
let paused: PausedRun

beforeAll(async () => {
  const first = await pause((await runProgram(body, tools())).result)
  const second = await pause(resume(first, { 'c1.day': { type: 'input', input: { day: 3 } } }))
  paused = await pause(resume(second, { 'c1.5': true }))
})

const decisions = { 'c1.6.1': true }
const withRecords = (records: Readonly<Record<string, string>>) => ({ ...paused, nested: { c1: records } })
const replaced = (key: string, text: string) => withRecords({ ...paused.nested.c1, [key]: text })

it('resumes with its own records', async () => {
  expect(Object.keys(paused.nested.c1 ?? {}).map((key) => key.replace(/-[^/]*$/, ''))).toEqual(
    expect.arrayContaining(['turn', 'order', 'gate', 'asked', 'decided', 'call', 'nested-c1.6/execution']),
  )
  expect(resultsOf(await resume(paused, decisions))).toEqual([
    '{"sums":[{"sum":2},{"sum":3}],"day":3,"none":"unknown_tool","paid":"Paid 5.","inner":"Paid 9."}',
  ])
})

it.each([
  ['turn-0', '{"calls":[null]}'],
  ['turn-0', '{"calls":[{"name":"add","digest":"x","refusal":{}}]}'],
  ['order-0', '{}'],
  ['gate-0', '["1"]'],
  ['call-c1.1', 'null'],
  ['call-c1.1', '"x"'],
  ['call-c1.1', '{"observation":{}}'],
  ['call-c1.1', '{"observation":{"callId":"c1.1","name":"add","ok":true,"text":"{"},"data":{"form":"json"}}'],
  ['call-c1.1', '{"observation":{"callId":"c1.1","name":"add","ok":true,"text":"","parts":5}}'],
  ['call-c1.1', '{"observation":{"callId":"c1.1","name":"add","ok":true,"text":""},"data":{"media":{"/a/b":"x"}}}'],
  ['call-c1.day', '{"observation":null}'],
  ['asked-c1.day', 'null'],
  ['decided-c1.day', '{"digest":"x"}'],
  ['decided-c1.5', '"x"'],
  ['nested-c1.6/execution-0', '{"waiting":[null]}'],
  ['nested-c1.6/turn-0', '[]'],
] as const)('is refused if the record "%s" is %s', async (key, text) => {
  expect(paused.nested.c1).toHaveProperty([key])
  await expect(resume(replaced(key, text), decisions)).rejects.toMatchObject({
    code: 'invalid_paused_run',
    message: expect.stringContaining('its "nested" is missing or invalid'),
  })
})

it('never blames the engine when one record replaces another or is missing', async () => {
  const texts = paused.nested.c1 ?? {}
  const keys = Object.keys(texts)
  for (const key of keys) {
    const { [key]: _, ...others } = texts
    const changed = [withRecords(others), ...keys.map((other) => replaced(key, texts[other] as string))]
    for (const run of changed) {
      const error = await resume(run, decisions).catch((thrown: unknown) => thrown)
      expect(error).not.toMatchObject({ code: 'steps_failed' })
    }
  }
})

it('is refused if the questions of a tool that is executed again are changed', async () => {
  const order = defineTool({
    name: 'order',
    description: 'Orders.',
    args: Type.Object({}),
    execute: (_, context) => {
      if (inputOf(context)?.given === undefined) throw new InputRequired('It needs input.', [ask] as never, null)
      return 'ordered'
    },
  })
  const script = [{ toolCalls: [call('order', {}, 'o1')] }, { text: 'Done.' }]
  const { agent } = await agentFor([order], script)
  const asked = await pause(agent.run({ question: '?' }))
  const answers = { 'o1.day': { type: 'input', input: { day: 3 } } } as const
  for (const text of ['null', '{}', '{"questions":[null]}', '{"questions":[{"key":"day","message":"?","schema":null}]}']) {
    const nested = { o1: { ...asked.nested.o1, 'input-0': text } }
    await expect(agent.resume({ ...asked, nested }, answers)).rejects.toMatchObject({ code: 'invalid_paused_run' })
  }
  expect(resultsOf(await agent.resume(asked, answers))).toEqual(['ordered'])
})

it('can be resumed whatever id the model gave to the call', async () => {
  for (const id of ['__proto__', 'constructor', 'a/b', '..']) {
    const { pay, paid } = payments()
    const program = programTool(({ call: make }) => make({ name: 'pay', args: { amount: 5 } }))
    const lm = scriptedLM([{ toolCalls: [call('program', {}, id)] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [program, pay], signature: answer })
    const run = await pause(agent.run({ question: '?' }))
    await agent.resume(run, { [run.pending[0]?.callId as string]: true })
    expect(paid).toHaveLength(1)
  }
})
