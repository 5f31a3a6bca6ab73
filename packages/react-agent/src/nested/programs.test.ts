/** Tests how a program runs: order, barrier, questions, limits, aborts, and what happens when it is repeated. */
import { textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineAction, defineTool, type ToolContext } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { pause, resultsOf } from '../../test/approval/payments.ts'
import { aTurn, event, onFakeClock } from '../../test/clock.ts'
import { hermes } from '../../test/hermes.ts'
import { add, openProgram, programTool, runProgram, SCRIPT } from '../../test/nested/program-tool.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call, noted } from '../../test/tools.ts'
import { clientTool } from '../approval/client-tool.ts'
import { createReactAgent } from '../react-agent.ts'

const ask = { key: 'day', message: 'Which day?', schema: Type.Object({ day: Type.Integer() }) }

describe('a program', () => {
  it('runs a write only after its earlier calls and before its later ones', async () => {
    const log: string[] = []
    const tools = [noted('one', log, 'read'), noted('two', log, 'read'), noted('write', log, 'write'), noted('last', log, 'read')]
    const { result } = await runProgram(
      ({ call }) => Promise.all(['one', 'two', 'write', 'last'].map((name) => call({ name }))),
      tools,
    )
    await result
    expect(log).toEqual([
      'one starts',
      'two starts',
      'one ends',
      'two ends',
      'write starts',
      'write ends',
      'last starts',
      'last ends',
    ])
  })

  it('counts as a write in its turn, unless every tool that it may call is read', async () => {
    for (const [effect, starts] of [
      ['write', ['program', 'other']],
      ['read', ['program', 'other starts', 'program ends', 'other ends']],
    ] as const) {
      const log: string[] = []
      const body = async ({ call }: ToolContext) => {
        log.push('program')
        await call({ name: 'add', args: { a: 1, b: 1 } })
        log.push('program ends')
      }
      const lm = scriptedLM([{ toolCalls: [call('program', {}, 'c1'), call('other', {}, 'c2')] }, { text: 'Done.' }])
      const tools = [programTool(body), add([], { effect }), noted('other', log, 'read')]
      const agent = await createReactAgent({ lm, tools, signature: answer })
      await agent.run({ question: '?' })
      if (effect === 'write') expect(log.indexOf('other starts')).toBeGreaterThan(log.indexOf('program ends'))
      else expect(log.indexOf('other starts')).toBeLessThan(log.indexOf('program ends'))
      expect(log[0]).toBe(starts[0])
    }
  })

  it('gets values in their JSON form, even without a journal', async () => {
    const odd = defineTool({
      name: 'odd',
      description: 'Odd values.',
      args: Type.Object({}),
      execute: () => ({ date: new Date(0), none: undefined, zero: -0, b: 1, a: 2 }),
    })
    const { result } = await runProgram(
      async ({ call }) => {
        const value = (await call({ name: 'odd' })) as { zero: number }
        return [typeof (value as { date?: unknown }).date, Object.keys(value), Object.is(value.zero, 0)]
      },
      [odd],
    )
    expect(resultsOf(await result)).toEqual(['["string",["date","zero","b","a"],true]'])
  })

  it('lets its open calls finish, and begins none that an abandoned branch makes later', async () => {
    const log: string[] = []
    const body = async ({ call }: ToolContext) => {
      const branch = (async () => {
        await call({ name: 'slow' })
        await call({ name: 'never' })
      })()
      branch.catch(() => {})
      call({ name: 'failing' })
      return await Promise.race([branch, call({ name: 'quick' })])
    }
    const { reached, reach } = event()
    const tools = [
      noted('slow', log, 'read', () => reached),
      noted('never', log, 'read'),
      noted('quick', log, 'read', async () => void setTimeout(reach, 5)),
      defineTool({
        name: 'failing',
        description: 'Fails.',
        args: Type.Object({}),
        effect: 'read',
        execute: () => Promise.reject(new Error('no')),
      }),
    ]
    const steps = new MemorySteps()
    const { agent } = await openProgram(body, tools)
    const result = await agent.run({ question: '?' }, { id: 'r', steps })
    expect(resultsOf(result)).toEqual(['quick'])
    expect(log).toEqual(['slow starts', 'quick starts', 'quick ends', 'slow ends'])
    expect([...steps.records.keys()].filter((key) => key.includes('/call-')).sort()).toEqual(
      [1, 2, 3].map((n) => `nested-c1/call-c1.${n}`),
    )
  })

  it('asks several questions in a row, and gets the validated answers', async () => {
    const body = async ({ ask: put }: ToolContext) => {
      const { day } = await put(ask)
      const { name } = await put({
        key: 'name',
        message: `For day ${day}: who?`,
        schema: Type.Object({ name: Type.String({ default: 'Ada' }) }),
      })
      return `${day} ${name}`
    }
    const first = await pause((await runProgram(body)).result)
    expect(first.pending).toMatchObject([
      {
        callId: 'c1.day',
        parentCallId: 'c1',
        needs: 'input',
        name: 'program',
        message: 'Which day?',
        schema: { type: 'object', properties: { day: { type: 'integer' } } },
      },
    ])
    const resumed = await openProgram(body, [], { isResumed: true })
    for (const wrong of [true, { type: 'input', input: { day: 'soon' } }, { type: 'edit', args: {} }])
      await expect(resumed.agent.resume(first, { 'c1.day': wrong as never })).rejects.toMatchObject({ code: 'approval_invalid' })
    const second = await pause(resumed.agent.resume(first, { 'c1.day': { type: 'input', input: { day: 3 } } }))
    expect(second.pending).toMatchObject([{ callId: 'c1.name', message: 'For day 3: who?' }])
    const result = await resumed.agent.resume(second, { 'c1.name': { type: 'input', input: {} } })
    expect(resultsOf(result)).toEqual(['3 Ada'])
  })

  it('gets the reason when a question is declined, and can be asked through `approve`', async () => {
    const body = async ({ ask: put }: ToolContext) => put(ask).catch((error) => [error.code, error.reason])
    const { agent } = await openProgram(body)
    const declined = await agent.run({ question: '?' }, { approve: () => ({ type: 'reject', reason: 'busy' }) })
    expect(resultsOf(declined)).toEqual(['["rejected","busy"]'])
    const other = await openProgram(body)
    const asked: unknown[] = []
    const given = await other.agent.run(
      { question: '?' },
      {
        approve: (question) => {
          asked.push(question.message)
          return { type: 'input', input: { day: 5 } }
        },
      },
    )
    expect([resultsOf(given), asked]).toEqual([['{"day":5}'], ['Which day?']])
  })

  it('waits for all approvals together, and runs what is decided', async () => {
    const log: string[] = []
    const body = ({ call }: ToolContext) =>
      Promise.all([1, 2, 3].map((a) => call({ name: 'add', args: { a, b: 0 } }).catch((error) => error.reason)))
    const tools = [add(log, { effect: 'write', needsApproval: true })]
    const first = await pause((await runProgram(body, tools)).result)
    expect(first.pending.map(({ callId }) => callId)).toEqual(['c1.1', 'c1.2', 'c1.3'])
    const { agent } = await openProgram(body, tools, { isResumed: true })
    const second = await pause(agent.resume(first, { 'c1.1': true, 'c1.3': { type: 'reject', reason: 'no' } }))
    expect([log, second.pending.map(({ callId }) => callId), second.decided.map(({ callId }) => callId)]).toEqual([
      ['1+0 r/c1/c1.1'],
      ['c1.2'],
      ['c1.3'],
    ])
    await expect(agent.resume(second, { 'c1.3': true })).rejects.toMatchObject({ code: 'approval_invalid' })
    const result = await agent.resume(second, { 'c1.2': { type: 'edit', args: { a: 20, b: 2 } } })
    expect(resultsOf(result)).toEqual(['[{"sum":1},{"sum":22},"no"]'])
    expect(log).toEqual(['1+0 r/c1/c1.1', '20+2 r/c1/c1.2'])
  })

  it('takes the result of a client tool', async () => {
    const click = clientTool({ name: 'click', description: 'Clicks.', args: Type.Object({}) })
    const body = ({ call }: ToolContext) => call({ name: 'click' })
    const paused = await pause((await runProgram(body, [click])).result)
    const { agent } = await openProgram(body, [click], { isResumed: true })
    const result = await agent.resume(paused, { 'c1.1': { type: 'result', output: { clicked: true } } })
    expect(resultsOf(result)).toEqual(['{"clicked":true}'])
  })

  it('refuses a paused run in which a nested record was changed, or the tool of a pending call', async () => {
    const body = ({ call }: ToolContext) => call({ name: 'add', args: { a: 1, b: 1 } })
    const asking = [add([], { needsApproval: true })]
    const paused = await pause((await runProgram(body, asking, { pauses: { key: 'k' } })).result)
    const { agent } = await openProgram(body, asking, { isResumed: true, pauses: { key: 'k' } })
    const nested = { c1: { ...paused.nested.c1, 'decided-c1.1': '{"decision":{"type":"approve"}}' } }
    await expect(agent.resume({ ...paused, nested }, {})).rejects.toMatchObject({ code: 'invalid_paused_run' })
    const log: string[] = []
    const other = await openProgram(body, [add(log)], { isResumed: true, pauses: { key: 'k' } })
    await expect(other.agent.resume(paused, {})).rejects.toMatchObject({ code: 'agent_changed' })
    expect(log).toEqual([])
  })

  it('is stopped when it makes other calls than before, and nothing runs', async () => {
    const log: string[] = []
    const tools = [add(log, { effect: 'write', needsApproval: true })]
    const before = async ({ call }: ToolContext) => {
      await call({ name: 'add', args: { a: 1, b: 1 } })
      return call({ name: 'add', args: { a: 2, b: 2 } })
    }
    const first = await pause((await runProgram(before, tools)).result)
    const { agent } = await openProgram(before, tools, { isResumed: true })
    const paused = await pause(agent.resume(first, { 'c1.1': true }))
    const others: [(context: ToolContext) => unknown, string][] = [
      [({ call }) => call({ name: 'add', args: { a: 9, b: 9 } }), 'the arguments of the call "add" have changed'],
      [({ ask: put }) => put(ask), 'it made the call "question day" instead of the call "add"'],
      [() => 'early', 'it ended without the call "add"'],
      [({ call }) => Promise.all([1, 2].map((a) => call({ name: 'add', args: { a, b: 1 } }))), 'it made the call "add" only now'],
    ]
    for (const [body, words] of others) {
      const changed = await openProgram(body, tools, { isResumed: true })
      const [text] = resultsOf(await changed.agent.resume(paused, { 'c1.2': true }))
      expect(text).toContain(
        `its resumed execution differs from the earlier one: ${words}. Calls that it had already made are not undone. Check`,
      )
      // The first call waited for a decision too, and was made.
      expect(text).not.toMatch(/not made|c1\.1/)
    }
    expect(log).toEqual(['1+1 r/c1/c1.1'])
  })

  it('gets an error in place of an output that is longer than the tool may return', async () => {
    const long = defineTool({
      name: 'long',
      description: 'Long.',
      args: Type.Object({}),
      effect: 'write',
      maxOutputLength: 1000,
      execute: () => 'x'.repeat(1500),
    })
    const { result } = await runProgram(
      ({ call }) => call({ name: 'long' }).catch(({ code, message }) => [code, message]),
      [long],
    )
    expect(JSON.parse(resultsOf(await result)[0] as string)).toEqual([
      'output_too_large',
      expect.stringContaining('"long" was executed, but its output is longer than 1,000 characters, so it can\'t be returned.'),
    ])
  })

  it('is stopped at its limits: calls, recorded data, levels', async () => {
    const many = await runProgram(async ({ call }) => {
      for (;;) await call({ name: 'nothing' }).catch(() => {})
    })
    expect(resultsOf(await many.result)).toEqual([expect.stringContaining('made more than 1,000 calls')])
    const long = defineTool({
      name: 'long',
      description: 'Long.',
      args: Type.Object({}),
      effect: 'read',
      execute: () => 'x'.repeat(900_000),
    })
    const large = await runProgram(
      async ({ call }) => {
        for (;;) await call({ name: 'long' })
      },
      [long],
    )
    expect(resultsOf(await large.result)).toEqual([
      expect.stringContaining('exceed 16 MiB in total. Split the work into several calls, and request shorter results.'),
    ])
    const levels = [1, 2, 3, 4, 5].map((level) =>
      programTool(({ call }) => (level === 5 ? 'bottom' : call({ name: `level${level + 1}` })), { name: `level${level}` }),
    )
    const deep = await runProgram(({ call }) => call({ name: 'level2' }), levels)
    expect(resultsOf(await deep.result)).toEqual([expect.stringContaining('at most 4 levels deep')])
  })

  it('is abandoned at its deadline, and reports the calls that may have taken effect', async () => {
    const { reached, reach } = event()
    const hang = defineTool({
      name: 'hang',
      description: 'Hangs.',
      args: Type.Object({}),
      effect: 'write',
      execute: () => new Promise(reach),
    })
    const { result } = await runProgram(({ call }) => call({ name: 'hang' }), [hang], {}, { timeoutMs: 50 })
    const ended = await onFakeClock(() => result, reached)
    expect(resultsOf(ended)).toEqual([
      'Error: "program" did not finish within 50 ms. Calls that it had already made are not undone. Check their effects before you call it again.',
    ])
    expect(ended.unknownCalls).toMatchObject([{ callId: 'c1.1', name: 'hang', idempotencyKey: 'r/c1/c1.1' }])
  })

  it('is not abandoned while a person decides', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { agent } = await openProgram(({ ask: put }) => put(ask), [], {}, { timeoutMs: 50 })
    const [asked, decided] = [event(), event()]
    const approve = async () => {
      asked.reach()
      await decided.reached
      return { type: 'input', input: { day: 1 } } as const
    }
    const result = agent.run({ question: '?' }, { approve })
    await asked.reached
    vi.advanceTimersByTime(60_000)
    decided.reach()
    expect(resultsOf(await result)).toEqual(['{"day":1}'])
  })

  it('is aborted with the run, and reports the calls that may have taken effect', async () => {
    for (const steps of [undefined, new MemorySteps()]) {
      const caller = new AbortController()
      const hang = defineTool({
        name: 'hang',
        description: 'Hangs.',
        args: Type.Object({}),
        execute: () => {
          caller.abort()
          return new Promise(() => {})
        },
      })
      const { agent } = await openProgram(({ call }) => call({ name: 'hang' }), [hang])
      const run = agent.run({ question: '?' }, { id: 'r', steps, signal: caller.signal })
      await expect(run).rejects.toMatchObject({ code: 'aborted', unknownCalls: [{ callId: 'c1.1', name: 'hang' }] })
    }
  })

  it('is not recorded as failed if the run is aborted in a hook after it has ended', async () => {
    const caller = new AbortController()
    let isSlow = true
    const hook = async () => {
      if (!isSlow) return
      // By then, the run knows that the program has ended.
      for (let turn = 0; turn < 5; turn++) await aTurn()
      caller.abort()
      await new Promise(() => {})
    }
    const tool = defineAction({
      name: 'program',
      description: 'Runs a program.',
      args: Type.Object({}),
      output: Type.Object({ done: Type.Boolean() }),
      nested: true,
      hooks: { afterExecute: hook },
      execute: async () => ({ done: true }),
    })
    const steps = new MemorySteps()
    const create = (script: readonly object[]) =>
      createReactAgent({ lm: scriptedLM(script as never), tools: [tool], signature: answer })
    const run = (await create(SCRIPT)).run({ question: '?' }, { id: 'r', steps, signal: caller.signal })
    await expect(run).rejects.toMatchObject({ code: 'aborted' })
    await aTurn()
    isSlow = false
    const again = await (await create(SCRIPT.slice(1))).run({ question: '?' }, { id: 'r', steps })
    expect(resultsOf(again)).toEqual(['{"done":true}'])
  })

  it('shows a model without function calling only the outer result', async () => {
    const lm = scriptedLM([
      { text: '<tool_call>{"name":"program","arguments":{}}</tool_call>' },
      { text: 'Done.' },
      { text: '{"answer":"Done."}' },
    ])
    const body = async ({ call }: ToolContext) =>
      `total ${((await call({ name: 'add', args: { a: 1, b: 2 } })) as { sum: number }).sum}`
    const agent = await createReactAgent({
      lm,
      tools: [programTool(body), add()],
      signature: answer,
      adapter: textAdapter(hermes),
    })
    await agent.run({ question: '?' }).catch(() => {})
    const texts = JSON.stringify(lm.requests.map(({ messages }) => messages))
    expect(texts).toContain('total 3')
    expect(texts).not.toContain('\\"sum\\":3')
  })

  it('never shares an id with a call of the model', async () => {
    const log: string[] = []
    const lm = scriptedLM([{ toolCalls: [call('program', {}, 'c1'), call('add', { a: 7, b: 7 }, 'c1.1')] }, { text: 'Done.' }])
    const body = ({ call: make }: ToolContext) => make({ name: 'add', args: { a: 1, b: 1 } })
    const tools = [programTool(body), add(log, { effect: 'write', needsApproval: true })]
    const agent = await createReactAgent({ lm, tools, signature: answer })
    const paused = await pause(agent.run({ question: '?' }, { id: 'r' }))
    expect(paused.pending.map(({ callId }) => callId)).toEqual(['c1_1', 'c1.1'])
  })
})
