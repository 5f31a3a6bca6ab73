import { defineTool, deriveTool, image, type Tool, text } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { agentFor, pause, resultsOf } from '../../test/approval/payments.ts'
import { aTurn } from '../../test/clock.ts'
import { MemorySteps } from '../../test/steps.ts'
import { call } from '../../test/tools.ts'
import { clientTool } from './client-tool.ts'

describe('a client tool', () => {
  const click = clientTool({ name: 'click', description: 'Click.', args: Type.Object({ id: Type.String() }) })
  const script = [{ toolCalls: [call('click', { id: 'ok' }, 'c1')] }, { text: 'Clicked.' }]

  it('pauses the run until it has its result', async () => {
    const { agent } = await agentFor([click], script)
    const paused = await pause(agent.run({ question: '?' }))
    expect(paused.pending).toMatchObject([{ name: 'click', args: { id: 'ok' }, needs: 'result' }])
    const { trajectory } = await agent.resume(paused, { c1: { type: 'result', output: { clicked: true } } })
    expect(trajectory.messages[2]).toMatchObject({ callId: 'c1', content: '{"clicked":true}' })
  })

  it.each([
    ['a tool derived from it', deriveTool(click, { name: 'ui_click' })],
    ['a tool from another copy of the package', copied(click)],
  ])('is recognized as %s, and waits for a result', async (_, tool) => {
    const calls = [{ toolCalls: [call(tool.name, { id: 'ok' }, 'c1')] }, { text: 'Clicked.' }]
    const { agent } = await agentFor([tool], calls, { pauses: { key: 'secret' } })
    const paused = await pause(agent.run({ question: '?' }))
    expect(paused.pending).toMatchObject([{ name: tool.name, needs: 'result' }])
    await expect(agent.resume(paused, { c1: true })).rejects.toMatchObject({ code: 'approval_invalid' })
    const { trajectory } = await agent.resume(paused, { c1: { type: 'result', output: 'clicked' } })
    expect(trajectory.messages[2]).toMatchObject({ callId: 'c1', content: 'clicked' })
  })

  it('bounds a deeply nested result from approve, from resume and from a journal', async () => {
    let output: unknown = 1
    for (let level = 0; level < 20_000; level++) output = { output }
    const decision = { type: 'result', output } as const
    const ofText = expect.stringContaining('[too deep]')
    const { agent } = await agentFor([click], script)
    const onTheSpot = await agent.run({ question: '?' }, { approve: () => decision })
    const paused = await pause((await agentFor([click], script)).agent.run({ question: '?' }))
    const resumed = await (await agentFor([click], script.slice(1))).agent.resume(paused, { c1: decision })
    const steps = new MemorySteps()
    steps.decisions.set('approval-c1', decision)
    const journalled = await (await agentFor([click], script)).agent.run({ question: '?' }, { steps, id: 'r' })
    for (const result of [onTheSpot, resumed, journalled]) expect(resultsOf(result)).toEqual([ofText])
  })

  it('shows the model what `toModelOutput` returns, from approve, from resume and in a replay', async () => {
    let shown = 0
    const base64 = 'iVBORw0KGgo='
    const shot = clientTool({
      name: 'click',
      description: 'Takes a screenshot.',
      args: Type.Object({ id: Type.String() }),
      toModelOutput: (output) => [
        text(`Shot ${++shown}`),
        image({ base64: (output as { png: string }).png, mediaType: 'image/png' }),
      ],
    })
    const decision = { type: 'result', output: { png: base64 } } as const
    const expected = { content: 'Shot 1\n[image/png]', parts: [{ type: 'text' }, { type: 'image', source: { base64 } }] }
    const onTheSpot = await (await agentFor([shot], script)).agent.run({ question: '?' }, { approve: () => decision })
    expect(onTheSpot.trajectory.messages[2]).toMatchObject(expected)
    shown = 0
    const paused = await pause((await agentFor([shot], script)).agent.run({ question: '?' }))
    const resumed = await (await agentFor([shot], script.slice(1))).agent.resume(paused, { c1: decision })
    expect(resumed.trajectory.messages[2]).toMatchObject(expected)
    shown = 0
    const steps = new MemorySteps()
    steps.decisions.set('approval-c1', decision)
    for (let process = 0; process < 2; process++) {
      const { trajectory } = await (await agentFor([shot], script)).agent.run({ question: '?' }, { steps, id: 'r' })
      expect(trajectory.messages[2]).toMatchObject(expected)
    }
  })

  it('counts as done if `toModelOutput` fails', async () => {
    const failing = clientTool({
      name: 'click',
      description: 'Click.',
      args: Type.Object({ id: Type.String() }),
      toModelOutput: () => {
        throw new Error('no')
      },
    })
    const { agent } = await agentFor([failing], script)
    const { trajectory } = await agent.run({ question: '?' }, { approve: () => ({ type: 'result', output: { done: true } }) })
    expect(trajectory.messages[2]).toMatchObject({ callId: 'c1', content: '{"done":true}' })
  })

  it('is not recorded if the run is aborted in `toModelOutput`', async () => {
    const caller = new AbortController()
    let isSlow = true
    const slow = clientTool({
      name: 'click',
      description: 'Click.',
      args: Type.Object({ id: Type.String() }),
      toModelOutput: () => {
        if (!isSlow) return text('Short.')
        caller.abort()
        return new Promise(() => {})
      },
    })
    const steps = new MemorySteps()
    steps.decisions.set('approval-c1', { type: 'result', output: { long: true } })
    const aborted = (await agentFor([slow], script)).agent.run({ question: '?' }, { steps, id: 'r', signal: caller.signal })
    await expect(aborted).rejects.toMatchObject({ code: 'aborted' })
    await aTurn()
    isSlow = false
    const { trajectory } = await (await agentFor([slow], script.slice(1))).agent.run({ question: '?' }, { steps, id: 'r' })
    expect(trajectory.messages[2]).toMatchObject({ content: 'Short.' })
  })

  it("can't be approved instead of given a result", async () => {
    const { agent } = await agentFor([click], script)
    const paused = await pause(agent.run({ question: '?' }))
    await expect(agent.resume(paused, { c1: true })).rejects.toMatchObject({ code: 'approval_invalid' })
  })

  const circular: { self?: unknown } = {}
  circular.self = circular
  it.each([
    [10n, '10'],
    [circular, '{"self":"[circular]"}'],
    [new Map([['a', 1]]), '{"a":1}'],
    [undefined, 'null'],
  ])('converts its result to JSON like any tool: %o', async (output, content) => {
    const { agent } = await agentFor([click], script)
    const { trajectory } = await agent.run({ question: '?' }, { approve: () => ({ type: 'result', output }) })
    expect(trajectory.messages[2]).toMatchObject({ callId: 'c1', content })
  })
})

/** Copies a tool as another copy of the package would create it. */
function copied({ name, description, args }: Tool): Tool {
  const execute = () => 'never'
  return {
    ...defineTool({ name, description, args, needsApproval: true, execute }),
    [Symbol.for('@x/react-agent/client-tool')]: true,
  }
}
