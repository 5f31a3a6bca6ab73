/** Tests programs that wait for decisions, and are repeated in another process. */
import { AgentError, type PausedRun } from '@x/react-agent'
import { describe, expect, it } from 'vitest'
import { numberTool, openAgent, textOf } from '../test/agent.ts'
import type { CodeToolOptions, CodeTools } from './index.ts'

async function pausedBy(code: string, tools: CodeTools, options: CodeToolOptions = {}): Promise<PausedRun> {
  const agent = await openAgent(code, tools, options)
  const error = await agent.run({ question: '?' }, { id: 'r' }).catch((thrown: unknown) => thrown)
  if (!(error instanceof AgentError) || error.paused === undefined) throw new Error('The run is not paused.', { cause: error })
  return JSON.parse(JSON.stringify(error.paused)) as PausedRun
}

async function resumed(paused: PausedRun, code: string, tools: CodeTools, options: CodeToolOptions = {}): Promise<string> {
  const agent = await openAgent(code, tools, options)
  const decisions = Object.fromEntries(paused.pending.map(({ callId }) => [callId, { type: 'approve' } as const]))
  return textOf(await agent.resume(paused, decisions))
}

const world = (log: string[]) => [numberTool('get', { log }), numberTool('pay', { log, effect: 'write', needsApproval: true })]

describe('a program that waits', () => {
  it('has exactly the calls pending that need a decision, and continues with their results', async () => {
    const log: string[] = []
    const code = `
      const [a, b, c] = await Promise.all([tools.pay({ value: 1 }), tools.get({ value: 2 }), tools.pay({ value: 3 })])
      return [a.value, b.value, c.value, (await tools.get({ value: 4 })).value]`
    const paused = await pausedBy(code, world(log))
    expect(paused.pending).toMatchObject([
      { callId: 'c1.1', parentCallId: 'c1', name: 'pay', args: { value: 1 }, needs: 'approval' },
      { callId: 'c1.3', parentCallId: 'c1', name: 'pay', args: { value: 3 }, needs: 'approval' },
    ])
    expect(log).toEqual([])
    expect(await resumed(paused, code, world(log))).toBe('{"result":[1,2,3,4]}')
    expect(log).toEqual(['pay 1', 'get 2', 'pay 3', 'get 4'])
  })

  it('sees the same time and the same random numbers when it is repeated', async () => {
    const code = `
      const [now, random] = [Date.now(), Math.random()]
      await tools.get({ value: now })
      await tools.get({ value: random })
      await tools.pay({ value: 1 })
      return now === Date.now() && new Date(2020, 0).toISOString() === '2020-01-01T00:00:00.000Z'`
    const log: string[] = []
    const paused = await pausedBy(code, world(log))
    expect(await resumed(paused, code, world(log))).toBe('{"result":true}')
    expect(log.length).toBe(3)
  })

  it('gets a rejection as an error that it can handle', async () => {
    const log: string[] = []
    const code = `try { return await tools.pay({ value: 1 }) } catch (error) { return [error.code, error.reason] }`
    const paused = await pausedBy(code, world(log))
    const agent = await openAgent(code, world(log))
    const text = textOf(await agent.resume(paused, { 'c1.1': { type: 'reject', reason: 'too much' } }))
    expect(text).toBe('{"result":["rejected","too much"]}')
    expect(log).toEqual([])
  })

  it('reports a rejected call only in the execution that got the decision', async () => {
    const code = `
      const results = await Promise.allSettled([tools.pay({ value: 1 }), tools.pay({ value: 2 })])
      await tools.pay({ value: 3 })
      return results.map(({ status }) => status)`
    const agent = await openAgent(code, world([]))
    let paused: PausedRun | undefined = await pausedBy(code, world([]))
    const seen: string[][] = []
    for (const ids of [['c1.1'], ['c1.2'], ['c1.3']]) {
      const decisions = Object.fromEntries(ids.map((id) => [id, { type: id === 'c1.1' ? 'reject' : 'approve' } as const]))
      const run = agent.resume(paused as PausedRun, decisions)
      const events: string[] = []
      try {
        for await (const event of run.stream()) {
          if (event.type === 'approval_decided') events.push(`${event.callId} ${event.decision}`)
          if (event.type === 'call_finished') events.push(`${event.callId} ${event.ok}`)
        }
        paused = undefined
      } catch (error) {
        paused = (error as AgentError).paused
      }
      await run.catch(() => {})
      seen.push(events)
    }
    expect(seen).toEqual([
      ['c1.1 reject', 'c1.1 false'],
      ['c1.2 approve', 'c1.2 true'],
      ['c1.3 approve', 'c1.3 true', 'c1 true'],
    ])
  })
})

describe('calls of a program', () => {
  it('finish although nothing awaits them, but none starts after the program has returned', async () => {
    const log: string[] = []
    let release = () => {}
    const slow = new Promise<void>((resolve) => {
      release = resolve
    })
    const tools = [
      numberTool('slow', { log, execute: () => slow.then(() => 'late') }),
      numberTool('quick', { log, execute: () => void setImmediate(release) }),
    ]
    const code = `
      const branch = tools.slow({ value: 1 }).then(() => tools.quick({ value: 9 }))
      return await Promise.race([branch, tools.quick({ value: 2 }).then(() => 'quick')])`
    const agent = await openAgent(code, tools)
    expect(JSON.parse(textOf(await agent.run({ question: '?' }, { id: 'r' })))).toEqual({
      result: 'quick',
      note: expect.stringContaining('without the result of 1 call (slow). Such calls still run'),
    })
    expect(log).toEqual(['slow 1', 'quick 2'])
  })

  it('are reported with the id of the program', async () => {
    const agent = await openAgent('return await tools.get({ value: 1 })', world([]))
    const events: object[] = []
    for await (const event of agent.run({ question: '?' }, { id: 'r' }).stream()) events.push(event)
    expect(events).toContainEqual(expect.objectContaining({ type: 'call_started', parentCallId: 'c1' }))
  })

  it('of a tool with a similar name, or of one that is not allowed, are refused', async () => {
    const log: string[] = []
    const code = `
      const codes = []
      for (const name of ['gett', 'pay', 'run_code'])
        try { await tools[name]({ value: 1 }) } catch (error) { codes.push(error.code + ': ' + error.message) }
      return codes`
    const agent = await openAgent(code, world(log), { allow: ['get'] })
    const { result } = JSON.parse(textOf(await agent.run({ question: '?' }, { id: 'r' })))
    expect(result).toEqual([
      'unknown_tool: There is no tool "gett". Did you mean "get"?',
      'unknown_tool: There is no tool "pay".',
      'unknown_tool: There is no tool "run_code".',
    ])
    expect(log).toEqual([])
  })
})
