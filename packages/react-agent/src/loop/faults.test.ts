/** Tests aborts, failing engines, large numbers of events, and shared sources. */
import { scriptedLM } from '@x/lm/testing'
import { createRegistry, lazy } from '@x/registry'
import { defineTool, type ToolSource } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { aTurn, event, onFakeClock } from '../../test/clock.ts'
import { answer, call, getWeather, noted } from '../../test/tools.ts'
import { STOPPED } from '../prompts.ts'
import { createReactAgent } from '../react-agent.ts'
import { startRun } from './run-stream.ts'

const wait = () => Promise.reject(new Error('nothing to wait for'))

describe('an abort', () => {
  it("isn't recorded as the result of a call, and starts no later call", async () => {
    const controller = new AbortController()
    const recorded: string[] = []
    const log: string[] = []
    const pay = defineTool({
      name: 'pay',
      description: 'Pay.',
      args: Type.Object({}),
      effect: 'write',
      execute: () => {
        log.push('pay starts')
        controller.abort()
        return new Promise(() => {})
      },
    })
    const steps = {
      run: async <T>(key: string, execute: () => Promise<T>) => {
        const value = await execute()
        recorded.push(key)
        return value
      },
      wait,
    }
    const lm = scriptedLM([{ toolCalls: [call('pay', {}, 'a'), call('pay', {}, 'b')] }])
    const agent = await createReactAgent({ lm, tools: [pay], signature: answer })
    await expect(agent.run({ question: '?' }, { signal: controller.signal, steps })).rejects.toMatchObject({ code: 'aborted' })
    expect({ recorded, log }).toEqual({ recorded: ['start', 'model-1', 'intent-a'], log: ['pay starts'] })
  })

  it.each([
    ['write', 'returned a result. It may have taken effect. Check before you call it again.'],
    ['read', 'returned a result.'],
  ] as const)('leaves a result of a call to a tool that declares %s, which a later run reads', async (effect, words) => {
    const controller = new AbortController()
    const pay = defineTool({
      name: 'pay',
      description: 'Pay.',
      args: Type.Object({}),
      effect,
      execute: () => {
        controller.abort()
        return new Promise(() => {})
      },
    })
    const lm = scriptedLM([{ toolCalls: [call('pay', {}, 'a'), call('submit', {}, 'b')] }])
    const agent = await createReactAgent({ lm, tools: [pay], signature: answer })
    const run = agent.run({ question: '?' }, { signal: controller.signal })
    await expect(run).rejects.toMatchObject({
      trajectory: {
        messages: [
          { role: 'user' },
          { role: 'assistant' },
          { content: `Error: "pay" was aborted by the application before it ${words}` },
          { role: 'tool' },
        ],
      },
    })
  })

  it('settles at once while an engine is busy and the model never replies', async () => {
    const controller = new AbortController()
    const [busy, free] = [event(), event()]
    const steps = {
      run: async <T>(_: string, execute: () => Promise<T>) => {
        busy.reach()
        await free.reached
        return execute()
      },
      wait,
    }
    const agent = await createReactAgent({ lm: { generate: () => new Promise(() => {}) }, tools: [], signature: answer })
    const run = agent.run({ question: '?' }, { signal: controller.signal, steps })
    busy.reached.then(() => controller.abort())
    await expect(run).rejects.toMatchObject({ code: 'aborted' })
    free.reach()
    await aTurn()
  })

  it('stops many runs with one signal without a warning', async () => {
    const warned = vi.fn()
    process.on('warning', warned)
    const controller = new AbortController()
    const { reach, reached } = event()
    let asked = 0
    const generate = () => {
      if (++asked === 20) reach()
      return new Promise<never>(() => {})
    }
    const agent = await createReactAgent({ lm: { generate }, tools: [], signature: answer })
    const runs = Array.from({ length: 20 }, () => agent.run({ question: '?' }, { signal: controller.signal }))
    await reached
    controller.abort()
    for (const run of runs) await expect(run).rejects.toMatchObject({ code: 'aborted' })
    // Node prints warnings before the next turn of the event loop.
    await aTurn()
    process.off('warning', warned)
    expect(warned).not.toHaveBeenCalled()
  })
})

describe('an engine', () => {
  it('rejects the run with its error and the trajectory when it fails at a call', async () => {
    const cause = new Error('journal full')
    const run = <T>(key: string, execute: () => Promise<T>) => (key.startsWith('call') ? Promise.reject(cause) : execute())
    const lm = scriptedLM([{ toolCalls: [call('get_weather', { city: 'Oslo' })] }])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: answer })
    await expect(agent.run({ question: '?' }, { steps: { run, wait } })).rejects.toMatchObject({
      code: 'steps_failed',
      cause,
      trajectory: {
        messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool', content: `Error: ${STOPPED}` }],
      },
    })
  })

  it('gets plain data, whatever a tool returns', async () => {
    const huge = defineTool({ name: 'huge', description: 'Huge.', args: Type.Object({}), execute: () => ({ n: 10n ** 20n }) })
    const steps = {
      run: async <T>(_: string, execute: () => Promise<T>) => JSON.parse(JSON.stringify(await execute())) as T,
      wait,
    }
    const lm = scriptedLM([{ toolCalls: [call('huge')] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [huge], signature: answer })
    const { trajectory } = await agent.run({ question: '?' }, { steps })
    expect(trajectory.messages[2]).toMatchObject({ content: '{"n":"100000000000000000000"}' })
  })
})

describe('events', () => {
  it('take linear time in large numbers', async () => {
    const run = startRun<string, number>(async (emit) => {
      for (let index = 0; index < 5_000_000; index++) emit(index)
      return 'done'
    })
    const events = run.stream()
    await run
    // Shifting the whole queue for each event would take minutes.
    for (let index = 0; index < 250_000; index++) {
      const { value } = await events.next()
      if (value !== index) expect(value).toBe(index)
    }
    await events.return?.()
  })

  it('can be read by several next() calls at once, and return() wakes them', async () => {
    let emitLater: (event: string) => void = () => {}
    const end = event()
    const run = startRun<void, string>(async (emit) => {
      emitLater = emit
      await end.reached
    })
    const events = run.stream()
    const both = Promise.all([events.next(), events.next()])
    await aTurn()
    emitLater('a')
    emitLater('b')
    expect((await both).map(({ value }) => value)).toEqual(['a', 'b'])
    const waiting = events.next()
    await events.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    end.reach()
    await run
  })

  it('end with the run, even if an abandoned tool reports more progress', async () => {
    let emitLate: (event: string) => void = () => {}
    const run = startRun<void, string>(async (emit) => {
      emitLate = emit
    })
    const events = run.stream()
    expect(await events.next()).toEqual({ done: true, value: undefined })
    emitLate('late')
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })
})

describe('a source', () => {
  it('is opened by its first agent and closed by its last', async () => {
    const log: string[] = []
    const source: ToolSource = {
      open: async () => void log.push('open'),
      close: async () => void log.push('close'),
      tools: () => [getWeather],
    }
    const create = () => createReactAgent({ lm: scriptedLM([{ text: 'Hello.' }]), tools: [source], signature: answer })
    const [first, second] = [await create(), await create()]
    await first.close()
    expect(log).toEqual(['open'])
    await expect(first.run({ question: '?' })).rejects.toMatchObject({ code: 'closed' })
    expect((await second.run({ question: '?' })).outputs).toEqual({ answer: 'Hello.' })
    await second.close()
    expect(log).toEqual(['open', 'close'])
  })

  it("doesn't keep other sources open when it throws on close", async () => {
    const log: string[] = []
    const fine: ToolSource = { close: async () => void log.push('fine closed'), tools: () => [getWeather] }
    const bad: ToolSource = {
      close: () => {
        throw new Error('stuck')
      },
      tools: () => [noted('other', log)],
    }
    const agent = await createReactAgent({ lm: scriptedLM([]), tools: [fine, bad], signature: answer })
    await expect(agent.close()).rejects.toThrow('stuck')
    expect(log).toEqual(['fine closed'])
  })

  it('gives its instructions to the model through a registry too', async () => {
    const source: ToolSource = { instructions: 'Remember everything.', tools: () => [getWeather] }
    const lm = scriptedLM([{ text: 'Hello.' }])
    const agent = await createReactAgent({ lm, tools: createRegistry([source]), signature: answer })
    await agent.run({ question: '?' })
    expect(lm.requests[0]?.messages[0]?.content).toBe('Answer briefly.\n\nRemember everything.')
  })
})

it('a reference to a registry uses the timeout of that registry', async () => {
  const slow = lazy('get_weather', () => new Promise<typeof getWeather>((resolve) => setTimeout(resolve, 15_000, getWeather)))
  const registry = createRegistry([slow], { loadTimeoutMs: 30_000 })
  const create = () => createReactAgent({ lm: scriptedLM([]), tools: [registry.tool('get_weather')], signature: answer })
  expect((await onFakeClock(create)).tools.size).toBe(1)
})
