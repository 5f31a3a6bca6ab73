/** Tests results that contain images and files. */
import { nativeAdapter, textAdapter } from '@x/adapters'
import { hermes } from '@x/adapters/dialects'
import { type ScriptedReply, scriptedLM } from '@x/lm/testing'
import { type ContentPart, defineTool, file, image, type ModelOutput, text } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { aTurn } from '../../test/clock.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import type { AgentError } from '../errors.ts'
import { createReactAgent } from '../react-agent.ts'

const png = (content: string) => image({ mediaType: 'image/png', data: new TextEncoder().encode(content) })
const DONE = { text: 'Done.' }

/** Creates a tool that returns what `look` returns for the name in its arguments. */
function looking(look: (at: string) => ModelOutput | Promise<ModelOutput>, options: object = {}) {
  return defineTool({
    name: 'look',
    description: 'Looks at something.',
    args: Type.Object({ at: Type.String() }),
    effect: 'read',
    execute: ({ at }) => at,
    toModelOutput: look,
    ...options,
  })
}

const lookAt = (at: string, id: string) => call('look', { at }, id)

function create(tool: ReturnType<typeof looking>, script: readonly ScriptedReply[], options: object = {}) {
  const lm = scriptedLM([...script])
  return createReactAgent({ lm, tools: [tool], signature: answer, ...options })
}

describe('a result with an image', () => {
  it('is in the request, the events and the trajectory, with a text that describes it', async () => {
    const parts = [text('The door.'), png('door')]
    const lm = scriptedLM([{ toolCalls: [lookAt('door', 'a')] }, DONE])
    const agent = await createReactAgent({ lm, tools: [looking(() => parts)], signature: answer })
    const events: unknown[] = []
    const run = agent.run({ question: '?' })
    for await (const event of run.stream()) events.push(event)
    const { trajectory } = await run
    const message = { role: 'tool', callId: 'a', name: 'look', content: 'The door.\n[image/png]', parts }
    expect(trajectory.messages[2]).toEqual(message)
    expect(lm.requests[1]?.messages.at(-1)).toEqual(message)
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'call_finished', observation: expect.objectContaining({ text: message.content, parts }) }),
    )
    expect(JSON.parse(JSON.stringify(trajectory))).toEqual(trajectory)
  })

  it('is plain text if all its parts are text', async () => {
    const agent = await create(
      looking(() => [text('One.'), text('Two.')]),
      [{ toolCalls: [lookAt('door', 'a')] }, DONE],
    )
    const { trajectory } = await agent.run({ question: '?' })
    expect(trajectory.messages[2]).toEqual({ role: 'tool', callId: 'a', name: 'look', content: 'One.\nTwo.' })
  })

  it('is the output if toModelOutput returned no valid part', async () => {
    const broken = { type: 'image', mediaType: 'image/png', source: { base64: 'no' } } as const
    const agent = await create(
      looking(() => broken),
      [{ toolCalls: [lookAt('door', 'a')] }, DONE],
    )
    const { trajectory } = await agent.run({ question: '?' })
    expect(trajectory.messages[2]).toMatchObject({ content: 'door' })
  })

  it('is described by a text dialect', async () => {
    const lm = scriptedLM([{ text: '<tool_call>{"name":"look","arguments":{"at":"door"}}</tool_call>' }, DONE])
    const scan = file({ mediaType: 'application/pdf', name: 'scan.pdf', base64: 'AAAA' })
    const tools = [looking(() => [png('door'), scan])]
    const agent = await createReactAgent({ lm, tools, signature: answer, adapter: textAdapter(hermes) })
    await agent.run({ question: '?' }).catch(() => {})
    const result = lm.requests[1]?.messages.at(-1)
    expect(result?.content).toContain('[image/png]\n[scan.pdf, application/pdf]')
    expect(result).not.toHaveProperty('parts')
  })

  it('is cut after a page of its text, and the images follow', async () => {
    const long = 'x'.repeat(150)
    const readOn = call('read_result', { call: 'a', offset: 100 }, 'b')
    const script = [{ toolCalls: [lookAt('door', 'a')] }, { toolCalls: [readOn] }, DONE]
    const agent = await create(
      looking(() => [png('door'), text(long)]),
      script,
      { maxResultLength: 100 },
    )
    const { trajectory } = await agent.run({ question: '?' })
    const { content, parts = [] } = trajectory.messages[2] as { content: string; parts?: readonly ContentPart[] }
    expect(parts).toEqual([
      { type: 'text', text: expect.stringMatching(/^\[image\/png]\nx{88}\n\[characters 0 to 100 of 162; to read more/) },
      png('door'),
    ])
    expect(content).toBe(`${(parts[0] as { text: string }).text}\n[image/png]`)
    expect(trajectory.messages[4]).toMatchObject({ content: 'x'.repeat(62) })

    const lm = scriptedLM([DONE])
    const next = await createReactAgent({ lm, tools: [looking(() => 'x')], signature: answer })
    await next.run({ question: 'And now?' }, { history: trajectory })
    const [, , sent] = lm.requests[0]?.messages.filter(({ role }) => role !== 'system') ?? []
    expect(sent).toMatchObject({ content: expect.stringContaining('the rest is no longer available]\n[image/png]') })
    expect(sent).toMatchObject({ parts: [{ text: expect.stringContaining('the rest is no longer available]') }, png('door')] })
  })

  it('starts with the edited arguments after an edit', async () => {
    const tool = looking((at) => png(at), { needsApproval: true })
    const agent = await create(tool, [{ toolCalls: [lookAt('door', 'a')] }, DONE])
    const approve = () => ({ type: 'edit', args: { at: 'window' } }) as const
    const { trajectory } = await agent.run({ question: '?' }, { approve })
    const words = 'The arguments of this call were edited during approval: {"at":"window"}'
    expect(trajectory.messages[2]).toMatchObject({ content: `${words}\n[image/png]`, parts: [text(words), png('window')] })
  })
})

describe('the limit of equal results', () => {
  const again = ['a', 'b', 'c', 'd'].map((id) => ({ toolCalls: [lookAt('door', id)] }))

  it('counts results with the same image', async () => {
    const agent = await create(
      looking(() => png('door')),
      [...again, DONE],
      { maxRepeats: 2 },
    )
    const { trajectory } = await agent.run({ question: '?' })
    expect(trajectory.messages[6]).toMatchObject({
      isError: true,
      content: expect.stringContaining('You already made this call 2 times'),
    })
  })

  it("doesn't count results with other images or files", async () => {
    let count = 0
    const look = () => [png(`door ${count++}`), file({ mediaType: 'audio/wav', url: `https://example.com/${count}` })]
    const agent = await create(looking(look), [...again, DONE], { maxRepeats: 2 })
    const { trajectory } = await agent.run({ question: '?' })
    expect(trajectory.messages.filter((message) => message.role === 'tool' && message.isError)).toEqual([])
  })

  it('is the same after a pause', async () => {
    let count = 0
    const tool = looking(() => png(`door ${count++ % 2}`))
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      args: Type.Object({}),
      needsApproval: true,
      execute: () => 'Yes.',
    })
    const script = [...again.slice(0, 2), { toolCalls: [call('ask', {}, 'p')] }]
    const agent = await createReactAgent({
      lm: scriptedLM([...script, again[2] as ScriptedReply, DONE]),
      tools: [tool, ask],
      signature: answer,
      maxRepeats: 2,
    })
    const error = (await agent.run({ question: '?' }).catch((thrown: unknown) => thrown)) as AgentError
    const paused = JSON.parse(JSON.stringify(error.paused))
    const { trajectory } = await agent.resume(paused, { p: true })
    expect(trajectory.messages.at(-2)).toMatchObject({ content: '[image/png]', parts: [png('door 0')] })
  })
})

describe('a journal', () => {
  const ids = Array.from({ length: 10 }, (_, index) => `c${index}`)
  const photo = png('photo '.repeat(20))
  const data = (photo.source as { base64: string }).base64
  const turns = (parallel: boolean): ScriptedReply[] => {
    const calls = ids.map((id) => lookAt(id, id))
    return [...(parallel ? [{ toolCalls: calls }] : calls.map((one) => ({ toolCalls: [one] }))), DONE]
  }
  const copies = (steps: MemorySteps) => [...steps.records.values()].join('\n').split(data).length - 1

  it.each([
    ['ten turns', false],
    ['one turn', true],
  ])('contains the data of an image only once if ten calls of %s returned it', async (_what, parallel) => {
    const steps = new MemorySteps()
    const tool = looking(() => [text('Again.'), photo, photo])
    const { trajectory } = await (await create(tool, turns(parallel))).run({ question: '?' }, { steps, id: 'r' })
    const results = trajectory.messages.filter(({ role }) => role === 'tool')
    expect(results).toHaveLength(10)
    for (const result of results) expect(result).toMatchObject({ parts: [text('Again.'), photo, photo] })
    expect(copies(steps)).toBe(1)
    const replayed = await (await create(tool, [])).run({ question: '?' }, { steps, id: 'r' })
    expect(replayed.trajectory).toEqual(trajectory)
  })

  it('contains data that the outputs repeat only once, and restores the same outputs', async () => {
    const tool = defineTool({
      name: 'look',
      description: 'Looks.',
      args: Type.Object({ at: Type.String() }),
      effect: 'read',
      execute: ({ at }) => (at === 'c0' ? data : { 'a/b': [{ at, data }, data], __proto__: null, other: 'text' }),
      toModelOutput: () => [photo, photo],
    })
    const outputsOf = async (script: readonly ScriptedReply[]) => {
      const outputs: unknown[] = []
      const agent = await createReactAgent({ lm: scriptedLM([...script]), tools: [tool], signature: answer })
      const run = agent.run({ question: '?' }, { steps, id: 'r' })
      for await (const event of run.stream()) if (event.type === 'call_finished' && event.ok) outputs.push(event.output)
      return outputs
    }
    const steps = new MemorySteps()
    const outputs = await outputsOf(turns(false))
    expect(outputs.slice(0, 2)).toEqual([data, { 'a/b': [{ at: 'c1', data }, data], other: 'text' }])
    expect(copies(steps)).toBe(1)
    expect(await outputsOf([])).toEqual(outputs)
  })

  it('is replayed even if the call with the data, which ended first, is replayed last', async () => {
    const steps = new MemorySteps()
    let end = (_: ModelOutput) => {}
    const slow = new Promise<ModelOutput>((resolve) => {
      end = resolve
    })
    // The first call ends after all other calls are recorded.
    const tool = looking((at) => (at === 'c0' ? slow : photo))
    const running = (await create(tool, turns(true), { maxParallelCalls: 2 })).run({ question: '?' }, { steps, id: 'r' })
    await expect.poll(() => steps.records.has('call-c9')).toBe(true)
    end(photo)
    const { trajectory } = await running
    expect(copies(steps)).toBe(1)
    expect(steps.records.get('call-c0')).not.toContain(data)
    for (const maxParallelCalls of [1, 2, 10]) {
      const replayed = await (await create(tool, [], { maxParallelCalls })).run({ question: '?' }, { steps, id: 'r' })
      expect(replayed.trajectory).toEqual(trajectory)
    }
  })

  it('fails when the data that its records refer to is missing', async () => {
    const steps = new MemorySteps()
    const tool = looking(() => photo)
    await (await create(tool, turns(true))).run({ question: '?' }, { steps, id: 'r' })
    const first = [...steps.records].find(([, record]) => record.includes(data)) as [string, string]
    steps.records.set(first[0], first[1].replace(data, 'AAAA'))
    await expect((await create(tool, [])).run({ question: '?' }, { steps, id: 'r' })).rejects.toMatchObject({
      code: 'steps_failed',
      cause: expect.objectContaining({
        message: expect.stringMatching(/^The journal has no image or file with the digest [0-9a-f]{64}/),
      }),
    })
  })

  it('records a result without images as text', async () => {
    const steps = new MemorySteps()
    await (
      await create(
        looking(() => 'Seen.'),
        [{ toolCalls: [lookAt('door', 'a')] }, DONE],
      )
    ).run({ question: '?' }, { steps, id: 'r' })
    const { observation } = JSON.parse(steps.records.get('call-a') as string)
    expect(JSON.stringify(observation)).toBe('{"callId":"a","name":"look","ok":true,"text":"Seen."}')
  })
})

describe('a paused run', () => {
  const ask = defineTool({ name: 'ask', description: 'Asks.', args: Type.Object({}), needsApproval: true, execute: () => 'Yes.' })
  const script: ScriptedReply[] = [
    { toolCalls: [lookAt('door', 'a')] },
    { toolCalls: [lookAt('window', 'b'), call('ask', {}, 'p')] },
  ]
  const pause = async (after: readonly ScriptedReply[] = []) => {
    const lm = scriptedLM([...script, ...after])
    const tools = [looking((at) => [text(at), png(at)]), ask]
    const agent = await createReactAgent({
      lm,
      tools,
      signature: answer,
      pauses: { key: 'a key of 32 characters at least!' },
      adapter: nativeAdapter,
    })
    const error = (await agent.run({ question: '?' }).catch((thrown: unknown) => thrown)) as AgentError
    return { agent, lm, json: JSON.stringify(error.paused) }
  }

  it('contains images of finished turns and of the turn that waits', async () => {
    const { agent, lm, json } = await pause([DONE])
    const { trajectory } = await agent.resume(JSON.parse(json), { p: true })
    expect(trajectory.messages[2]).toMatchObject({ parts: [text('door'), png('door')] })
    expect(trajectory.messages[4]).toMatchObject({ parts: [text('window'), png('window')] })
    expect(lm.requests.at(-1)?.messages.slice(1)).toEqual(trajectory.messages.slice(0, -1))
  })

  it('is refused when an image has changed', async () => {
    const { agent, json } = await pause()
    const { source } = png('window')
    const changed = json.replace((source as { base64: string }).base64, 'AAAA')
    expect(changed).not.toBe(json)
    await expect(agent.resume(JSON.parse(changed), { p: true })).rejects.toMatchObject({ code: 'invalid_paused_run' })
  })
})

describe('a run that is aborted in `toModelOutput`', () => {
  it.each([
    ['a tool that makes calls', { effect: 'write', nested: [] }, 'Looked at door.', 2],
    ['a tool that only reads', {}, 'Looked at door.', 2],
    // Executed again, it would write twice.
    ['a tool that writes', { effect: 'write' }, 'door', 1],
  ] as const)('lets another process show the output of %s', async (_, options, shown, count) => {
    const caller = new AbortController()
    let executions = 0
    const execute = ({ at }: { at: string }) => {
      executions++
      return at
    }
    const look = async (at: string) => {
      if (executions > 1) return `Looked at ${at}.`
      // By then, the run knows that the tool has ended.
      for (let turn = 0; turn < 5; turn++) await aTurn()
      caller.abort()
      return await new Promise<never>(() => {})
    }
    const tool = looking(look, { execute, ...options })
    const steps = new MemorySteps()
    const first = await create(tool, [{ toolCalls: [lookAt('door', 'a')] }])
    const aborted = first.run({ question: '?' }, { id: 'r', steps, signal: caller.signal })
    await expect(aborted).rejects.toMatchObject({ code: 'aborted' })
    await aTurn()
    const { trajectory } = await (await create(tool, [DONE])).run({ question: '?' }, { id: 'r', steps })
    expect([trajectory.messages[2], executions]).toMatchObject([{ content: shown }, count])
  })
})
