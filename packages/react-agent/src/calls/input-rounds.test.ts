/** Tests a tool that ends its execution with questions, and is executed again with the answers. */
import type { LMRequest, LMResponse } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { callTool, defineAction, defineTool, InputRequired, inputOf, withValues } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { agentFor, pause, resultsOf } from '../../test/approval/payments.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'

const SCRIPT = [{ toolCalls: [call('order', { item: 'tea' }, 'o1')] }, { text: 'Done.' }]
const size = { key: 'size', message: 'Which size?', schema: Type.Object({ size: Type.String() }) }

/** Creates a tool that asks once for each list of questions, then returns what it received. */
function orders(rest: object = {}, questions: readonly (readonly object[])[] = [[size]]) {
  const executions: unknown[] = []
  const order = defineTool({
    name: 'order',
    description: 'Orders.',
    args: Type.Object({ item: Type.String() }),
    effect: 'write',
    ...rest,
    execute(args, context) {
      const input = inputOf(context)
      const round = (input?.given?.state as number | undefined) ?? 0
      executions.push({ ...args, ...(input?.given && { given: input.given }), key: context.idempotencyKey })
      const next = questions[round]
      if (input === undefined) return 'no input is offered'
      if (next === undefined) return { ordered: input.given?.answers }
      throw new InputRequired('It needs input.', next as never, round + 1)
    },
  })
  return { order, executions }
}

const input = (given: object) => ({ type: 'input' as const, input: given })

describe('a tool that ends its execution with a question', () => {
  it('is executed again with its state and the answer, in another process', async () => {
    const { order, executions } = orders()
    const { agent } = await agentFor([order], SCRIPT)
    const paused = await pause(agent.run({ question: '?' }, { id: 'r' }))
    expect(paused.pending).toMatchObject([{ callId: 'o1.size', parentCallId: 'o1', needs: 'input', message: 'Which size?' }])
    const { agent: other } = await agentFor([order], SCRIPT.slice(1))
    const result = await other.resume(paused, { 'o1.size': input({ size: 'L' }) })
    expect(resultsOf(result)).toEqual(['{"ordered":{"size":{"size":"L"}}}'])
    expect(executions).toEqual([
      { item: 'tea', key: 'r/o1' },
      { item: 'tea', key: 'r/o1', given: { state: 1, answers: { size: { size: 'L' } } } },
    ])
    expect(result.unknownCalls).toEqual([])
  })

  it('gets null if the user declines', async () => {
    const { order } = orders()
    const paused = await pause((await agentFor([order], SCRIPT)).agent.run({ question: '?' }))
    const { agent } = await agentFor([order], SCRIPT.slice(1))
    expect(resultsOf(await agent.resume(paused, { 'o1.size': false }))).toEqual(['{"ordered":{"size":null}}'])
  })

  it('is approved once', async () => {
    const { order, executions } = orders({ needsApproval: true })
    const { agent } = await agentFor([order], SCRIPT)
    const first = await pause(agent.run({ question: '?' }))
    const second = await pause((await agentFor([order], SCRIPT.slice(1))).agent.resume(first, { o1: true }))
    expect(second.pending).toMatchObject([{ callId: 'o1.size' }])
    const { agent: last } = await agentFor([order], SCRIPT.slice(1))
    await last.resume(second, { 'o1.size': input({ size: 'L' }) })
    expect(executions).toHaveLength(2)
  })

  it('emits the question as an event of the call', async () => {
    const { order } = orders()
    const { agent } = await agentFor([order], SCRIPT)
    const run = agent.run({ question: '?' }, { approve: async () => input({ size: 'L' }) })
    const events: object[] = []
    for await (const event of run.stream()) if (event.type.startsWith('approval')) events.push(event)
    await run
    expect(events).toMatchObject([
      { type: 'approval_requested', parentCallId: 'o1', call: { callId: 'o1.size', needs: 'input' } },
      { type: 'approval_decided', parentCallId: 'o1', callId: 'o1.size', decision: 'input' },
    ])
  })

  it("doesn't call the `onError` hook of the tool", async () => {
    const onError = vi.fn()
    const action = defineAction({ ...orders().order, output: Type.Object({}), hooks: { onError } } as never)
    await pause((await agentFor([action as never], SCRIPT)).agent.run({ question: '?' }))
    expect(onError).not.toHaveBeenCalled()
  })

  it('fails the run for a question that can not be asked', async () => {
    for (const wrong of [
      [{ ...size, key: '1' }],
      [{ ...size, message: '' }],
      [{ ...size, schema: Type.String() }],
      [size, size],
    ]) {
      const { agent } = await agentFor([orders({}, [wrong]).order], SCRIPT)
      await expect(agent.run({ question: '?' })).rejects.toMatchObject({ code: 'invalid_options' })
    }
  })
})

/** The model orders first, and is done once it has read a result. */
const reply = ({ messages }: LMRequest) => (messages.some(({ role }) => role === 'tool') ? SCRIPT[1] : SCRIPT[0]) as LMResponse

describe('with a journal', () => {
  async function run(steps: MemorySteps, order: object) {
    const agent = await createReactAgent({ lm: scriptedLM([reply, reply]), tools: [order as never], signature: answer })
    return agent.run({ question: '?' }, { id: 'r', steps })
  }

  it('an execution that asked is not repeated, wherever the process stops', async () => {
    const full = new MemorySteps()
    const key = 'nested-o1/approval-o1.size'
    await pause(run(full, orders().order))
    full.decisions.set(key, input({ size: 'L' }))
    await run(full, orders().order)
    const keys = [...full.records.keys()]
    expect(keys).toEqual([
      'start',
      'model-1',
      'intent-o1',
      'call-o1',
      'nested-o1/input-0',
      'nested-o1/asked-o1.size',
      'nested-o1/decided-o1.size',
      'nested-o1/intent-1',
      'nested-o1/call-1',
      'model-2',
    ])
    // Each prefix of the journal is what a process may have left behind.
    for (let kept = 1; kept <= keys.length; kept++) {
      const steps = new MemorySteps()
      for (const [name, record] of [...full.records].slice(0, kept)) steps.records.set(name, record)
      steps.decisions.set(key, input({ size: 'L' }))
      const { order, executions } = orders()
      const { unknownCalls } = await run(steps, order)
      const names = [...steps.records.keys()].slice(0, kept)
      const first = names.includes('intent-o1') ? 0 : 1
      const second = names.includes('nested-o1/intent-1') ? 0 : 1
      const isLost = names.at(-1) === 'intent-o1' || names.at(-1) === 'nested-o1/intent-1'
      expect([kept, executions.length, unknownCalls.length]).toEqual([
        kept,
        names.at(-1) === 'intent-o1' ? 0 : first + second,
        isLost ? 1 : 0,
      ])
    }
  })

  it('an invalid answer in the journal ends the call', async () => {
    const steps = new MemorySteps()
    await pause(run(steps, orders().order))
    steps.decisions.set('nested-o1/approval-o1.size', input({ size: 5 }))
    const { order, executions } = orders()
    expect(String(resultsOf(await run(steps, order))[0])).toContain('/size must be string')
    expect(executions).toEqual([])
  })
})

describe('a caller that can not wait', () => {
  it('offers no input: `callTool`, a tool that passes its context on, and one that makes calls', async () => {
    const { order, executions } = orders()
    const args = { item: 'tea' }
    const parts = { description: 'Calls.', args: Type.Object({}) }
    const direct = await callTool(order, { id: '1', name: 'order', args })
    const outer = defineTool({
      ...parts,
      name: 'outer',
      execute: async (_, context) => callTool(order, { id: '2', name: 'order', args }, context),
    })
    const program = defineTool({
      ...parts,
      name: 'program',
      nested: true,
      execute: (_, context) => context.call({ name: 'order', args }),
    })
    const script = [{ toolCalls: [call('outer'), call('program')] }, { text: 'Done.' }]
    await (await agentFor([order, outer, program], script)).agent.run({ question: '?' })
    expect(direct).toMatchObject({ ok: true, output: 'no input is offered' })
    expect(executions).toHaveLength(3)
  })

  it('a context with other values keeps its input', async () => {
    const seen: unknown[] = []
    const tool = defineTool({
      name: 'order',
      description: 'Orders.',
      args: Type.Object({ item: Type.String() }),
      execute: (_, context) => {
        seen.push(inputOf(withValues(context, { user: 1 })))
        return 'ok'
      },
    })
    await (await agentFor([tool], SCRIPT)).agent.run({ question: '?' })
    expect(seen).toEqual([{ given: undefined }])
  })

  it('treats a tool that asks anyway as a failed call', async () => {
    const order = defineTool({
      name: 'order',
      description: 'Orders.',
      args: Type.Object({}),
      execute: () => {
        throw new InputRequired('It needs input.', [size], 'secret')
      },
    })
    const result = await callTool(order, { id: '1', name: 'order', args: {} })
    expect(result).toMatchObject({ ok: false, error: { code: 'input_required', message: 'It needs input.' } })
    expect(JSON.stringify(result)).not.toContain('secret')
  })
})
