/** Tests what happens to a call after a crash. The engine keeps its records in memory, and a crash is simulated by deleting records. */
import { scriptedLM } from '@x/lm/testing'
import { defineTool, type Effect, ToolError } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'

function payTool(effect: Effect | undefined, keys: string[]) {
  return defineTool({
    name: 'pay',
    description: 'Pay.',
    args: Type.Object({ euros: Type.Number() }),
    effect,
    execute: (_, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      return 'paid'
    },
  })
}

const SCRIPT = [{ toolCalls: [call('pay', { euros: 5 }, '1')] }, { text: 'Done.' }]

/** Runs to the end, deletes these records as if the process had crashed before it wrote them, and runs again. */
async function runTwice(effect: Effect | undefined, forgotten: readonly string[], deployed = effect) {
  const steps = new MemorySteps()
  const keys: string[] = []
  const tools = [payTool(effect, keys)]
  const first = await createReactAgent({ lm: scriptedLM(SCRIPT), tools, signature: answer })
  await first.run({ question: '?' }, { steps, id: 'run-1' })
  for (const key of forgotten) steps.records.delete(key)
  const lm = scriptedLM([{ text: 'Done after all.' }])
  const second = await createReactAgent({ lm, tools: [payTool(deployed, keys)], signature: answer })
  const again = () => second.run({ question: '?' }, { steps, id: 'run-1' })
  return { steps, keys, lm, again, result: await again() }
}

describe('a call whose tool reports an unknown outcome', () => {
  it.each([
    ['write', 1],
    [undefined, 1],
    ['read', 0],
  ] as const)('is among the unknown calls of the run if its effect is %s: %i', async (effect, count) => {
    const pay = defineTool({
      name: 'pay',
      description: 'Pay.',
      args: Type.Object({ euros: Type.Number() }),
      effect,
      execute: () => {
        throw new ToolError('execution_failed', 'The connection was lost.', { reason: 'unknown_outcome' })
      },
    })
    const agent = await createReactAgent({ lm: scriptedLM(SCRIPT), tools: [pay], signature: answer })
    const { unknownCalls, trajectory } = await agent.run({ question: '?' })
    expect(unknownCalls.map(({ callId, name }) => [callId, name])).toEqual(Array(count).fill(['1', 'pay']))
    expect(trajectory.messages[2]?.content).toBe('Error: The connection was lost.')
  })
})

describe('a call with an intent and no result', () => {
  it.each([['write'], ['destructive'], [undefined]] as const)("isn't repeated when its tool declares %s", async (effect) => {
    const { keys, lm, result } = await runTwice(effect, ['call-1', 'model-2'])
    expect(keys).toEqual(['run-1/1'])
    expect(result.unknownCalls).toEqual([
      { code: 'unknown_outcome', callId: '1', name: 'pay', args: { euros: 5 }, idempotencyKey: 'run-1/1' },
    ])
    expect(result.trajectory.messages[2]).toMatchObject({ role: 'tool', callId: '1', isError: true })
    expect(lm.requests[0]?.messages.at(-1)?.content).toBe(
      'Error: Unknown outcome: the process stopped during this call. It may have taken effect. It was not repeated. Check before you call it again.',
    )
  })

  it('is repeated with the same key when its tool is idempotent', async () => {
    const { keys, result } = await runTwice('idempotent', ['call-1', 'model-2'])
    expect(keys).toEqual(['run-1/1', 'run-1/1'])
    expect(result.unknownCalls).toEqual([])
  })

  it("is among the unknown calls if its tool is idempotent and no longer accepts the call's arguments", async () => {
    const steps = new MemorySteps()
    const keys: string[] = []
    const first = await createReactAgent({ lm: scriptedLM(SCRIPT), tools: [payTool('idempotent', keys)], signature: answer })
    await first.run({ question: '?' }, { steps, id: 'run-1' })
    for (const key of ['call-1', 'model-2']) steps.records.delete(key)
    const pay = defineTool({
      name: 'pay',
      description: 'Pay.',
      args: Type.Object({ euros: Type.Number(), iban: Type.String() }),
      effect: 'idempotent',
      execute: (_, { idempotencyKey }) => void keys.push(idempotencyKey),
    })
    const second = await createReactAgent({ lm: scriptedLM([{ text: 'Done.' }]), tools: [pay], signature: answer })
    // The replay of the second run has the same unknown call.
    for (let run = 0; run < 2; run++) {
      const { unknownCalls, trajectory } = await second.run({ question: '?' }, { steps, id: 'run-1' })
      expect(unknownCalls).toEqual([
        { code: 'unknown_outcome', callId: '1', name: 'pay', args: { euros: 5 }, idempotencyKey: 'run-1/1' },
      ])
      expect(trajectory.messages[2]).toMatchObject({
        isError: true,
        content: expect.stringMatching(/iban.*It may have taken effect\./s),
      })
    }
    expect(keys).toEqual(['run-1/1'])
  })

  it('is repeated when its tool only reads, and no intent is recorded', async () => {
    const { keys, steps, result } = await runTwice('read', ['call-1', 'model-2'])
    expect(keys).toEqual(['run-1/1', 'run-1/1'])
    expect(result.unknownCalls).toEqual([])
    expect([...steps.records.keys()]).toEqual(['start', 'model-1', 'call-1', 'model-2'])
  })

  it.each([
    ['write', 'idempotent', 1],
    ['write', 'read', 1],
    [undefined, 'read', 1],
    ['destructive', 'write', 1],
    ['idempotent', 'write', 1],
    ['idempotent', 'read', 2],
    ['read', 'write', 2],
  ] as const)('is executed %#: its tool declared %s, and declares %s now: %i', async (effect, deployed, count) => {
    const { keys, result } = await runTwice(effect, ['call-1', 'model-2'], deployed)
    expect(keys).toHaveLength(count)
    expect(result.unknownCalls).toHaveLength(2 - count)
  })

  it('stays unknown in every later replay', async () => {
    const { steps, keys, result, again } = await runTwice('write', ['call-1', 'model-2'])
    expect(await again()).toEqual(result)
    steps.records.delete('call-1')
    expect(await again()).toEqual(result)
    expect(keys).toEqual(['run-1/1'])
  })
})

describe('a call without an intent', () => {
  it('is executed', async () => {
    const { keys, result } = await runTwice('write', ['intent-1', 'call-1', 'model-2'])
    expect(keys).toEqual(['run-1/1', 'run-1/1'])
    expect(result.unknownCalls).toEqual([])
  })
})

describe('a call with a result', () => {
  it('requests no intent, whatever its tool declares now', async () => {
    const { keys, steps, result } = await runTwice('read', ['model-2'], 'write')
    expect(keys).toEqual(['run-1/1'])
    expect(result).toMatchObject({ unknownCalls: [], outputs: { answer: 'Done after all.' } })
    expect([...steps.records.keys()]).toEqual(['start', 'model-1', 'call-1', 'model-2'])
  })

  it("isn't executed again, and isn't unknown", async () => {
    const { keys, result } = await runTwice('write', ['model-2'])
    expect(keys).toEqual(['run-1/1'])
    expect(result).toMatchObject({ unknownCalls: [], outputs: { answer: 'Done after all.' } })
  })
})

describe('an intent', () => {
  it('is recorded before the call', async () => {
    const { steps } = await runTwice('write', [])
    expect([...steps.records.keys()]).toEqual(['start', 'model-1', 'intent-1', 'call-1', 'model-2'])
  })

  it("isn't recorded for an unknown tool", async () => {
    const steps = new MemorySteps()
    const lm = scriptedLM([{ toolCalls: [call('pray', {}, '1')] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [payTool('write', [])], signature: answer })
    expect((await agent.run({ question: '?' }, { steps })).unknownCalls).toEqual([])
    expect([...steps.records.keys()]).toEqual(['start', 'model-1', 'call-1', 'model-2'])
  })

  it('is never removed: an aborted call is unknown when the run is resumed', async () => {
    const steps = new MemorySteps()
    const controller = new AbortController()
    const pay = defineTool({
      name: 'pay',
      description: 'Pay.',
      args: Type.Object({}),
      effect: 'write',
      execute: () => {
        controller.abort()
        return new Promise(() => {})
      },
    })
    const create = () =>
      createReactAgent({
        lm: scriptedLM(steps.records.size === 0 ? [{ toolCalls: [call('pay', {}, '1')] }] : [{ text: 'Stopped.' }]),
        tools: [pay],
        signature: answer,
      })
    const first = (await create()).run({ question: '?' }, { steps, id: 'run-1', signal: controller.signal })
    await expect(first).rejects.toMatchObject({ code: 'aborted' })
    const { unknownCalls } = await (await create()).run({ question: '?' }, { steps, id: 'run-1' })
    expect(unknownCalls).toMatchObject([{ callId: '1', name: 'pay' }])
  })
})
