/** Tests what a repeated program receives (refusals, answers and questions), and how abandoned calls end. */
import { defineTool, deriveTool, type ToolContext } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { pause, payments, resultsOf } from '../../test/approval/payments.ts'
import { event } from '../../test/clock.ts'
import { add, openProgram, programTool, runProgram } from '../../test/nested/program-tool.ts'
import { MemorySteps } from '../../test/steps.ts'

/** Creates a schema of another library. Its validator is asynchronous and may return different results. */
function slotSchema(validate: (value: { slot: number }) => object) {
  const input = () => ({ type: 'object', properties: { slot: { type: 'integer' } } })
  return { '~standard': { version: 1, vendor: 'own', validate: async (value: never) => validate(value), jsonSchema: { input } } }
}

describe('a repeated program', () => {
  it('does not run a call that was refused before, and continues with its refusal', async () => {
    const log: string[] = []
    const { pay, paid } = payments()
    const body = async ({ call }: ToolContext) => {
      const sum = await call({ name: 'add', args: { a: 1, b: 1 } }).catch((error) => error.code)
      return [sum, await call({ name: 'pay', args: { amount: 5 } })]
    }
    const paused = await pause((await runProgram(body, [pay])).result)
    for (const tool of [add(log), add(log, { needsApproval: true }), programTool(() => log.push('ran'), { name: 'add' })]) {
      const { agent } = await openProgram(body, [pay, tool], { isResumed: true })
      expect(resultsOf(await agent.resume(paused, { 'c1.2': true }))).toEqual([expect.stringMatching(/^\["unknown_tool",/)])
    }
    expect(log).toEqual([])
    expect(paid).toHaveLength(3)
  })

  it('waits for the earlier agent if a call that it made is no longer possible, even if it catches the error', async () => {
    const { pay, paid } = payments()
    const body = async ({ call }: ToolContext) => {
      const sum = await call({ name: 'add', args: { a: 1, b: 1 } }).catch(() => 'none')
      await call({ name: 'pay', args: { amount: 5 } })
      return sum
    }
    const paused = await pause((await runProgram(body, [pay, add()])).result)
    const { agent } = await openProgram(body, [pay], { isResumed: true })
    await expect(agent.resume(paused, { 'c1.2': true })).rejects.toMatchObject({
      code: 'agent_changed',
      message: expect.stringContaining('its program made a call to "add", which it can\'t call any more.'),
    })
    expect(paid).toEqual([])
  })

  it('names only the calls that still wait for a decision when it is stopped', async () => {
    const log: string[] = []
    const tools = [add(log, { effect: 'write', needsApproval: true })]
    const day = { message: 'Which day?', schema: Type.Object({ day: Type.Integer() }) }
    const withKey =
      (key: string) =>
      ({ call, ask }: ToolContext) =>
        Promise.all([
          ask({ ...day, key: 'day' }).then(() => ask({ ...day, key })),
          ...[1, 2, 3].map((a) => call({ name: 'add', args: { a, b: 1 } })),
        ])
    const first = await pause((await runProgram(withKey('time'), tools)).result)
    const { agent } = await openProgram(withKey('time'), tools, { isResumed: true })
    const second = await pause(agent.resume(first, { 'c1.2': true, 'c1.day': { type: 'input', input: { day: 1 } } }))
    expect(second.pending.map(({ callId }) => callId)).toEqual(['c1.3', 'c1.4', 'c1.time'])
    const changed = await openProgram(withKey('place'), tools, { isResumed: true })
    const [text] = resultsOf(await changed.agent.resume(second, { 'c1.3': true }))
    expect(text).toContain(
      'instead of the call "question time". Not made, because a decision was still missing: "add" (c1.4). Calls that it had',
    )
    expect(log).toHaveLength(1)
  })

  it('gets a refusal with the same text, even if the agent has other tools', async () => {
    const { pay } = payments()
    const body = async ({ call }: ToolContext) => {
      const words = await call({ name: 'get_wether' }).catch((error) => error.message)
      await call({ name: 'pay', args: { amount: 5 } })
      return words
    }
    const paused = await pause((await runProgram(body, [pay])).result)
    const { agent } = await openProgram(body, [pay, deriveTool(add(), { name: 'get_weather' })], { isResumed: true })
    const result = await agent.resume(paused, { 'c1.2': true })
    expect(resultsOf(result)).toEqual(['There is no tool "get_wether". Tools: pay.'])
  })

  it('gets the same answer, even if the validator now gives another one or refuses it', async () => {
    for (const later of [{ issues: [{ message: 'The slot is taken.' }] }, { value: { slot: 3, at: 9 } }]) {
      const { pay, paid } = payments()
      let isLater = false
      const schema = slotSchema((value) => (isLater ? later : { value: { ...value, at: 1 } })) as never
      const body = async ({ call, ask }: ToolContext) => {
        const answer: unknown = await ask({ key: 'slot', message: 'Which slot?', schema }).catch((error) => error.message)
        await call({ name: 'pay', args: { amount: 5 } })
        return answer
      }
      const asked = await pause((await runProgram(body, [pay])).result)
      const second = await openProgram(body, [pay], { isResumed: true })
      const paused = await pause(second.agent.resume(asked, { 'c1.slot': { type: 'input', input: { slot: 3 } } }))
      isLater = true
      const third = await openProgram(body, [pay], { isResumed: true })
      const [pending] = paused.pending
      const result = await third.agent.resume(paused, { [pending?.callId as string]: true })
      expect([resultsOf(result), paid.length]).toEqual([['{"slot":3,"at":1}'], 1])
    }
  })

  it('gets an answer that JSON cannot represent, from its schema', async () => {
    const { pay } = payments()
    const schema = slotSchema(({ slot }) => ({ value: { at: new Date(slot) } })) as never
    const body = async ({ call, ask }: ToolContext) => {
      const { at } = (await ask({ key: 'slot', message: 'Which slot?', schema })) as { at: unknown }
      await call({ name: 'pay', args: { amount: 5 } })
      return at instanceof Date
    }
    const asked = await pause((await runProgram(body, [pay])).result)
    const { agent } = await openProgram(body, [pay], { isResumed: true })
    const paused = await pause(agent.resume(asked, { 'c1.slot': { type: 'input', input: { slot: 3 } } }))
    const third = await openProgram(body, [pay], { isResumed: true })
    expect(resultsOf(await third.agent.resume(paused, { [paused.pending[0]?.callId as string]: true }))).toEqual(['true'])
  })
})

describe('a question', () => {
  it('must have a key, a message and a schema that can be shown', async () => {
    const text = { key: 'day', message: 'Which day?' }
    const cyclic = { type: 'object', properties: {} as Record<string, unknown> }
    cyclic.properties.day = cyclic
    let deep: object = Type.Object({})
    for (let level = 0; level < 600; level++) deep = Type.Object({ deep })
    const wrong: [unknown, string][] = [
      [undefined, 'pass { key, message, schema }'],
      [null, 'pass { key, message, schema }'],
      [{ ...text, schema: cyclic }, 'schema contains itself'],
      [{ ...text, schema: deep }, 'schema is nested deeper than'],
      [{ ...text, schema: { type: 'object', properties: { day: { type: 'integer', maximum: 3n } } } }, 'schema'],
      [{ ...text, schema: { type: 'object', properties: {}, note: 3n } }, 'schema'],
      [{ ...text, schema: { type: 'object', properties: { day: { type: 'intger' } } } }, 'schema'],
    ]
    for (const [question, words] of wrong) {
      const { result } = await runProgram(({ ask }) => ask(question as never))
      expect(resultsOf(await result)).toEqual([expect.stringContaining(`context.ask in "program": ${words}`)])
    }
  })

  it('takes a long answer as a whole, and refuses one that JSON cannot represent', async () => {
    const body = async ({ ask }: ToolContext) => {
      const { text } = await ask({ key: 'text', message: 'Which text?', schema: Type.Object({ text: Type.String() }) })
      return text.length
    }
    const paused = await pause((await runProgram(body)).result)
    const { agent } = await openProgram(body, [], { isResumed: true })
    const circular: { text?: unknown } = {}
    circular.text = circular
    await expect(agent.resume(paused, { 'c1.text': { type: 'input', input: circular } })).rejects.toMatchObject({
      code: 'approval_invalid',
      message: 'The input for the call "c1.text" must be JSON, and not too long.',
    })
    const input = { text: 'x'.repeat(3_000_000) }
    expect(resultsOf(await agent.resume(paused, { 'c1.text': { type: 'input', input } }))).toEqual(['3000000'])
  })
})

describe('a call that a stopped program left running', () => {
  it('ends when the caller aborts, with and without a journal', async () => {
    for (const steps of [undefined, new MemorySteps()]) {
      const caller = new AbortController()
      const { reached, reach } = event()
      const hang = defineTool({
        name: 'hang',
        description: 'Hangs.',
        args: Type.Object({}),
        timeoutMs: Number.POSITIVE_INFINITY,
        execute: () => new Promise(() => {}),
      })
      const body = async ({ call }: ToolContext) => {
        call({ name: 'hang' })
        await call({ name: 'add', args: { a: 1, b: 1 } })
        for (let count = 0; count < 1000; count++) call({ name: 'add', args: { a: 1, b: 1 } })
        reach()
      }
      const { agent } = await openProgram(body, [hang, add()])
      const run = agent.run({ question: '?' }, { id: 'r', steps, signal: caller.signal })
      await reached
      caller.abort()
      await expect(run).rejects.toMatchObject({ code: 'aborted', unknownCalls: [{ callId: 'c1.1', name: 'hang' }] })
    }
  })
})
