import type { LM } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineTool, deriveTool, type ToolSource } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { aTurn, event } from '../../test/clock.ts'
import { answer, call, getWeather } from '../../test/tools.ts'
import type { AgentEvent } from '../events.ts'
import { createReactAgent } from '../react-agent.ts'

const script = [{ text: 'Look.', toolCalls: [call('get_weather', { city: 'Oslo' })] }, { text: '21 °C.' }]

async function collect(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

describe('events', () => {
  it('contain the whole run in order, and the promise resolves to its result', async () => {
    const agent = await createReactAgent({ lm: scriptedLM(script), tools: [getWeather], signature: answer })
    const run = agent.run({ question: '?' })
    const events = await collect(run.stream())
    expect(events.map(({ type }) => type)).toEqual([
      'run_started',
      'step_started',
      'model_started',
      'model_finished',
      'assistant_message',
      'call_started',
      'call_finished',
      'step_started',
      'model_started',
      'model_finished',
      'assistant_message',
      'finished',
    ])
    expect(events.at(-1)).toMatchObject({ type: 'finished', result: await run })
  })

  it('contain their time', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_000_000 })
    onTestFinished(() => void vi.useRealTimers())
    const takesTime = deriveTool(getWeather, {
      execute: async ({ city }) => {
        vi.advanceTimersByTime(250)
        return { city, degrees: 21 }
      },
    })
    const agent = await createReactAgent({ lm: scriptedLM(script), tools: [takesTime], signature: answer })
    const run = agent.run({ question: '?' })
    const events = await collect(run.stream())
    const started = events.findIndex(({ type }) => type === 'call_started')
    expect(events.slice(0, started + 1).every(({ at }) => at === 1_000_000)).toBe(true)
    expect(events.slice(started + 1).every(({ at }) => at === 1_000_250)).toBe(true)
    expect(events[started + 1]).toMatchObject({ type: 'call_finished', ms: 250 })
  })

  it("have the code of a failed call, which the model doesn't see", async () => {
    const wrong = [{ toolCalls: [call('get_weather', { city: 5 }), call('get_weathr', {}, 'u')] }, { text: 'No.' }]
    const agent = await createReactAgent({ lm: scriptedLM(wrong), tools: [getWeather], signature: answer })
    const run = agent.run({ question: '?' })
    const codes = (await collect(run.stream())).flatMap((event) =>
      event.type === 'call_finished' ? [event.observation.code] : [],
    )
    expect(codes.sort()).toEqual(['invalid_arguments', 'unknown_tool'])
    expect(JSON.stringify((await run).trajectory)).not.toContain('"code"')
  })

  it('contain the deltas of an agent that streams, and the run is the same', async () => {
    const plain = await createReactAgent({ lm: scriptedLM(script), tools: [getWeather], signature: answer })
    const streaming = await createReactAgent({ lm: scriptedLM(script), tools: [getWeather], signature: answer, stream: true })
    const run = streaming.run({ question: '?' })
    const text = (await collect(run.stream())).flatMap((event) =>
      event.type === 'delta' && event.delta.type === 'text' ? [event.delta.text] : [],
    )
    expect(text.join('')).toBe('Look.21 °C.')
    expect(await run).toEqual(await plain.run({ question: '?' }))
  })

  it('contain the progress of a running tool', async () => {
    const slow = defineTool({
      name: 'slow',
      description: 'Slow.',
      args: Type.Object({}),
      execute: (_, { progress }) => {
        progress('half')
        return 1
      },
    })
    const agent = await createReactAgent({
      lm: scriptedLM([{ toolCalls: [call('slow', {}, 'c')] }, { text: 'Done.' }]),
      tools: [slow],
      signature: answer,
    })
    const events = await collect(agent.run({ question: '?' }).stream())
    expect(events).toContainEqual(expect.objectContaining({ type: 'call_progress', step: 1, callId: 'c', update: 'half' }))
  })

  it('throw the error of the run, which needs no second handler', async () => {
    const agent = await createReactAgent({ lm: scriptedLM([new Error('no power')]), tools: [], signature: answer })
    await expect(collect(agent.run({ question: '?' }).stream())).rejects.toMatchObject({
      code: 'model_failed',
      message: 'no power',
    })
  })

  it('stop for a reader that leaves, while the run continues', async () => {
    const agent = await createReactAgent({ lm: scriptedLM(script), tools: [getWeather], signature: answer })
    const run = agent.run({ question: '?' })
    for await (const event of run.stream()) {
      expect(event.type).toBe('run_started')
      break
    }
    expect((await run).outputs.answer).toBe('21 °C.')
  })
})

describe('abort', () => {
  it('settles at once although the model ignores the signal', async () => {
    const { reach, reached } = event()
    const generate: LM['generate'] = () => {
      reach()
      return new Promise(() => {})
    }
    const agent = await createReactAgent({ lm: { generate }, tools: [], signature: answer })
    const controller = new AbortController()
    const run = agent.run({ question: '?' }, { signal: controller.signal })
    reached.then(aTurn).then(() => controller.abort())
    await expect(run).rejects.toMatchObject({ code: 'aborted', trajectory: { messages: [{ role: 'user' }] } })
  })

  it("settles at once although a tool ignores the signal, fires its signal, and doesn't call the model again", async () => {
    const controller = new AbortController()
    let fired = false
    const hang = defineTool({
      name: 'hang',
      description: 'Hangs.',
      args: Type.Object({}),
      execute: (_, { signal }) => {
        signal.addEventListener('abort', () => {
          fired = true
        })
        aTurn().then(() => controller.abort())
        return new Promise(() => {})
      },
    })
    const lm = scriptedLM([{ toolCalls: [call('hang')] }])
    const agent = await createReactAgent({ lm, tools: [hang], signature: answer })
    await expect(agent.run({ question: '?' }, { signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' })
    expect(fired).toBe(true)
    expect(lm.requests).toHaveLength(1)
  })

  it('runs nothing when it comes before the start', async () => {
    const lm = scriptedLM([])
    const agent = await createReactAgent({ lm, tools: [], signature: answer })
    await expect(agent.run({ question: '?' }, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
    expect(lm.requests).toEqual([])
  })
})

describe('steps', () => {
  it('record every model call and tool call under a unique key', async () => {
    const keys: string[] = []
    const steps = {
      run: <T>(key: string, execute: () => Promise<T>) => {
        keys.push(key)
        return execute()
      },
      wait: () => Promise.reject(new Error('nothing to wait for')),
    }
    const agent = await createReactAgent({ lm: scriptedLM(script), tools: [getWeather], signature: answer })
    await agent.run({ question: '?' }, { steps })
    expect(keys).toEqual(['start', 'model-1', 'call-id_get_weather', 'intent-id_get_weather', 'model-2'])
  })

  it('replay a run from its records, without model or tools', async () => {
    const journal = new Map<string, string>()
    const record = {
      run: async <T>(key: string, execute: () => Promise<T>) => remember(key, await execute()),
      wait: () => Promise.reject(),
    }
    const replay = { run: async <T>(key: string) => JSON.parse(journal.get(key) as string) as T, wait: () => Promise.reject() }
    const remember = <T>(key: string, value: T) => {
      journal.set(key, JSON.stringify(value))
      return value
    }
    const agent = await createReactAgent({ lm: scriptedLM(script), tools: [getWeather], signature: answer })
    const first = await agent.run({ question: '?' }, { steps: record })
    expect(await agent.run({ question: '?' }, { steps: replay })).toEqual(first)
  })
})

describe('tool sources', () => {
  function source(name: string, log: string[], failing = false): ToolSource {
    return {
      name,
      instructions: `About ${name}.`,
      open: async () => {
        if (failing) throw new Error(`${name} does not open`)
        log.push(`open ${name}`)
      },
      close: async () => {
        log.push(`close ${name}`)
      },
      tools: async () => [{ ...getWeather, name: `${name}_weather` }],
    }
  }

  it('are opened in order, listed, asked for instructions, and closed once in reverse order', async () => {
    const log: string[] = []
    const lm = scriptedLM([{ text: 'Hello.' }])
    {
      await using agent = await createReactAgent({ lm, tools: [source('a', log), source('b', log)], signature: answer })
      expect([...agent.tools.keys()]).toEqual(['a_weather', 'b_weather'])
      await agent.run({ question: '?' })
      await agent.close()
    }
    expect(log).toEqual(['open a', 'open b', 'close b', 'close a'])
    expect(lm.requests[0]?.messages[0]?.content).toBe('Answer briefly.\n\nAbout a.\n\nAbout b.')
  })

  it("are closed again when the agent can't be created", async () => {
    const log: string[] = []
    const creation = createReactAgent({
      lm: scriptedLM([]),
      tools: [source('a', log), source('b', log, true)],
      signature: answer,
    })
    await expect(creation).rejects.toThrow('b does not open')
    expect(log).toEqual(['open a', 'close a'])
  })
})
