/** Tests what a tool can do with `context.call`, and what the model and the caller see of it. */
import { scriptedLM } from '@x/lm/testing'
import { callTool, defineTool, type NestedCallError, type ToolContext, ToolError } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pause, resultsOf } from '../../test/approval/payments.ts'
import { add, failureOf, openProgram, programTool, runProgram, SCRIPT } from '../../test/nested/program-tool.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, getWeather } from '../../test/tools.ts'
import type { AgentEvent } from '../events.ts'
import { createReactAgent } from '../react-agent.ts'

describe('a nested call', () => {
  it('gives the program the output, and the model only the outer result', async () => {
    const log: string[] = []
    const { lm, result } = await runProgram(
      async ({ call }) => {
        const one = (await call({ name: 'add', args: { a: 1, b: 2 } })) as { sum: number }
        const two = (await call({ name: 'add', args: { a: one.sum, b: 3 } })) as { sum: number }
        return two.sum
      },
      [add(log)],
    )
    expect(resultsOf(await result)).toEqual(['6'])
    expect(log).toEqual(['1+2 r/c1/c1.1', '3+3 r/c1/c1.2'])
    expect(JSON.stringify(lm.requests)).not.toContain('sum')
  })

  it('rejects with the code, the message and the issues of a failed call', async () => {
    let error: NestedCallError | undefined
    const { result } = await runProgram(
      async ({ call }) => {
        error = await failureOf(call({ name: 'add', args: { a: 'x' } }))
        throw error
      },
      [add()],
    )
    expect(resultsOf(await result)).toEqual([expect.stringContaining('Error: "program" failed: Invalid arguments for "add"')])
    expect(error).toMatchObject({ code: 'invalid_arguments', callId: 'c1.1', tool: 'add' })
    expect(error?.issues.length).toBeGreaterThan(0)
  })

  it('reports the code and the reason of an error that the tool throws', async () => {
    const failing = defineTool({
      name: 'fail',
      description: 'Fails.',
      args: Type.Object({}),
      execute: () => {
        throw new ToolError('execution_failed', 'No such file.', { reason: 'not_found' })
      },
    })
    const { result } = await runProgram(
      async ({ call }) => failureOf(call({ name: 'fail' })).then((e) => [e?.code, e?.reason, e?.message]),
      [failing],
    )
    expect(resultsOf(await result)).toEqual(['["execution_failed","not_found","No such file."]'])
  })

  it('can only call tools of its run that its patterns name, and never itself or a tool of the agent', async () => {
    const body = async ({ call }: ToolContext) => {
      const names = ['get_weather', 'add', 'program', 'read_result', 'nothing']
      return Promise.all(names.map((name) => failureOf(call({ name, args: { city: 'Oslo', a: 1, b: 1 } })).then((e) => e?.code)))
    }
    const all = await runProgram(body, [add(), getWeather])
    expect(resultsOf(await all.result)).toEqual(['[null,null,"recursive_call","unknown_tool","unknown_tool"]'])
    const some = await runProgram(body, [add(), getWeather], {}, { nested: ['get_*'] })
    expect(resultsOf(await some.result)).toEqual(['[null,"unknown_tool","unknown_tool","unknown_tool","unknown_tool"]'])
  })

  it('throws in a tool without `nested`, and in a call that no agent makes', async () => {
    const { result } = await runProgram(
      async ({ call }) => call({ name: 'add', args: { a: 1, b: 1 } }),
      [add()],
      {},
      { nested: undefined },
    )
    expect(resultsOf(await result)).toEqual([expect.stringContaining('context.call is not available here')])
    const alone = programTool(({ call }) => call({ name: 'add' }))
    const direct = await callTool(alone, { id: 'c', name: 'program', args: {} })
    expect(direct).toMatchObject({ ok: false, error: { code: 'nested_unavailable' } })
  })

  it('is shown in events with the id of the outer call', async () => {
    const events: AgentEvent[] = []
    const { result } = await runProgram(async ({ call }) => call({ name: 'add', args: { a: 1, b: 2 } }), [add()])
    for await (const event of result.stream()) events.push(event)
    const calls = events.filter((event) => event.type === 'call_started' || event.type === 'call_finished')
    expect(
      calls.map((event) => [
        event.type,
        'call' in event ? event.call.id : 'observation' in event && event.observation.callId,
        event.parentCallId,
      ]),
    ).toEqual([
      ['call_started', 'c1', undefined],
      ['call_started', 'c1.1', 'c1'],
      ['call_finished', 'c1.1', 'c1'],
      ['call_finished', 'c1', undefined],
    ])
    expect(calls[2]).toMatchObject({ observation: { text: '{"sum":3}' } })
  })

  it('is recorded before the program gets its result, and a completed program is not repeated', async () => {
    const steps = new MemorySteps()
    const log: string[] = []
    let runs = 0
    const body = async ({ call }: ToolContext) => {
      runs++
      return ((await call({ name: 'add', args: { a: 1, b: 2 } })) as { sum: number }).sum
    }
    const agent = () =>
      createReactAgent({
        lm: scriptedLM(SCRIPT as never),
        tools: [programTool(body), add(log, { effect: 'write' })],
        signature: answer,
      })
    await (await agent()).run({ question: '?' }, { id: 'r', steps })
    expect([...steps.records.keys()]).toEqual([
      'start',
      'model-1',
      'nested-c1/turn-0',
      'nested-c1/call-c1.1',
      'nested-c1/turn-1',
      'nested-c1/execution-0',
      'model-2',
    ])
    await (await agent()).run({ question: '?' }, { id: 'r', steps })
    expect([runs, log.length]).toEqual([1, 1])
    steps.records.delete('nested-c1/execution-0')
    await (await agent()).run({ question: '?' }, { id: 'r', steps })
    expect([runs, log.length]).toEqual([2, 1])
  })

  it('pauses the run for an approval, and continues in another process', async () => {
    const log: string[] = []
    const body = async ({ call }: ToolContext) => {
      const one = (await call({ name: 'get_weather', args: { city: 'Oslo' } })) as { degrees: number }
      const two = await call({ name: 'add', args: { a: one.degrees, b: 1 } }).catch((e) => `${e.code}: ${e.reason}`)
      return { one, two }
    }
    const tools = [programTool(body), add(log, { effect: 'write', needsApproval: true }), getWeather]
    const create = () =>
      createReactAgent({ lm: scriptedLM(SCRIPT.slice() as never), tools, signature: answer, pauses: { key: 'k' } })
    const paused = await pause((await create()).run({ question: '?' }, { id: 'r' }))
    expect(paused.pending).toMatchObject([
      { callId: 'c1.2', parentCallId: 'c1', name: 'add', args: { a: 21, b: 1 }, needs: 'approval' },
    ])
    const second = await createReactAgent({ lm: scriptedLM([{ text: 'Done.' }]), tools, signature: answer, pauses: { key: 'k' } })
    expect(resultsOf(await second.resume(paused, { 'c1.2': true }))).toEqual([
      '{"one":{"city":"Oslo","degrees":21},"two":{"sum":22}}',
    ])
    expect(log).toEqual(['21+1 r/c1/c1.2'])
    const third = await createReactAgent({ lm: scriptedLM([{ text: 'Done.' }]), tools, signature: answer, pauses: { key: 'k' } })
    const refused = await third.resume(paused, { 'c1.2': { type: 'reject', reason: 'too warm' } })
    expect(resultsOf(refused)).toEqual(['{"one":{"city":"Oslo","degrees":21},"two":"rejected: too warm"}'])
    expect(log).toHaveLength(1)
    const fourth = await createReactAgent({ lm: scriptedLM([{ text: 'Done.' }]), tools, signature: answer, pauses: { key: 'k' } })
    const edited = await fourth.resume(paused, { 'c1.2': { type: 'edit', args: { a: 1, b: 1 } } })
    expect(resultsOf(edited)).toEqual(['{"one":{"city":"Oslo","degrees":21},"two":{"sum":2}}'])
  })
  it('is not limited by `maxRepeats`, `maxToolFailures` and `maxCallsPerTurn`, which limit what a model does', async () => {
    let failures = 0
    const limits = { maxRepeats: 1, maxToolFailures: 1, maxCallsPerTurn: 1 }
    const body = async ({ call }: ToolContext) => {
      for (let round = 0; round < 3; round++) await call({ name: 'add', args: { a: 1, b: 2 } })
      for (let round = 0; round < 3; round++) await call({ name: 'broken' }).catch(() => failures++)
      return 'returned'
    }
    const broken = defineTool({
      name: 'broken',
      description: 'Fails.',
      args: Type.Object({}),
      execute: () => Promise.reject(new ToolError('execution_failed', 'No.')),
    })
    const log: string[] = []
    const { result } = await runProgram(body, [add(log), broken], limits)
    expect(resultsOf(await result)).toEqual(['returned'])
    expect([log.length, failures]).toEqual([3, 3])
  })

  it('has its result delivered once everything that the previous result triggered has run, also when it is repeated', async () => {
    const seen: string[][] = []
    const body = async ({ call }: ToolContext) => {
      const order: string[] = []
      seen.push(order)
      const follow = async (b: number) => {
        await call({ name: 'add', args: { a: 0, b } })
        for (let turn = 0; turn < 100; turn++) await Promise.resolve()
        order.push(`${b} begins`)
        for (let turn = 0; turn < 100; turn++) await Promise.resolve()
        order.push(`${b} ends`)
      }
      await Promise.all([1, 2, 3].map(follow))
      await call({ name: 'add', args: { a: 9, b: 9 } })
    }
    const steps = new MemorySteps()
    const run = async () => {
      const { agent } = await openProgram(body, [add()])
      return await agent.run({ question: '?' }, { id: 'r', steps })
    }
    await run()
    steps.records.delete('nested-c1/execution-0')
    await run()
    const expected = [1, 2, 3].flatMap((n) => [`${n} begins`, `${n} ends`])
    expect(seen).toEqual([expected, expected])
  })

  it('that fails makes no unhandled rejection, and neither does a promise that is derived from it', async () => {
    const rejections: unknown[] = []
    const listen = (reason: unknown) => rejections.push(reason)
    process.on('unhandledRejection', listen)
    onTestFinished(() => void process.off('unhandledRejection', listen))
    const body = async ({ call }: ToolContext) => {
      const failing = call({ name: 'nothing' })
      failing.then(() => 'no').finally(() => {})
      await call({ name: 'add', args: { a: 1, b: 2 } })
      return 'returned'
    }
    const { result } = await runProgram(body, [add()])
    expect(resultsOf(await result)).toEqual(['returned'])
    await new Promise((resolve) => setImmediate(resolve))
    expect(rejections).toEqual([])
  })
})
