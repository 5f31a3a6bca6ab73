/** Tests the refused calls of a turn, and what counts as an identical call with an identical result. */
import { callTool, defineTool, type Effect, type Tool } from '@x/tool-core'
import { type TProperties, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { agentFor, pause, payments, resultsOf } from '../../test/approval/payments.ts'
import { call } from '../../test/tools.ts'

const DONE = { text: 'Done.' }

function toolOf(
  name: string,
  effect: Effect | undefined,
  execute: (args: object) => unknown,
  properties: TProperties = {},
): Tool {
  return defineTool({ name, description: name, args: Type.Object(properties), effect, execute }) as unknown as Tool
}

/** Creates two tools: `view` returns what `add` changes. */
function cart(view: Effect | undefined, add: Effect | undefined) {
  let items = 0
  return [toolOf('view', view, () => items), toolOf('add', add, () => ++items && 'added')]
}

/** Runs the turns. Each turn is a list of tool names. */
async function read(tools: readonly Tool[], turns: readonly (readonly string[])[], options: object) {
  const toolCalls = turns.map((names, turn) => ({ toolCalls: names.map((name, index) => call(name, {}, `c${turn}_${index}`)) }))
  const { agent } = await agentFor(tools, [...toolCalls, DONE], { maxSteps: 20, ...options })
  return resultsOf(await agent.run({ question: '?' }))
}

describe('a read after a write in the same turn', () => {
  it.each<[string, Effect | undefined, Effect | undefined]>([
    ['a write', 'read', 'write'],
    ['an idempotent write', 'read', 'idempotent'],
    ['a write, by a tool that does not declare its effect', undefined, 'destructive'],
  ])('runs although its earlier results were identical: %s', async (_, view, add) => {
    const results = await read(cart(view, add), [['view'], ['view'], ['add', 'view'], ['view']], { maxRepeats: 2 })
    expect(results.slice(0, 3)).toEqual(['0', '0', 'added'])
    // A tool that doesn't write runs in parallel with the read.
    expect(results[3]).toMatch(/^[01]$/)
    expect(results[4]).toBe('1')
  })

  it('runs although the turn contains the same call before the write', async () => {
    expect(await read(cart('read', 'write'), [['view', 'add', 'view']], { maxRepeats: 1 })).toEqual(['0', 'added', '1'])
  })

  it('is refused when the write is refused', async () => {
    const results = await read(cart('read', 'write'), [['view', 'add', 'add', 'view', 'view']], { maxRepeats: 1 })
    expect(results.slice(0, 2)).toEqual(['0', 'added'])
    expect(results[3]).toBe('1')
    for (const index of [2, 4]) expect(results[index]).toContain('in this turn, so it was not run again')
  })

  it('runs when the write waits for approval', async () => {
    let items = 0
    const add = { ...toolOf('add', 'write', () => ++items && 'added'), needsApproval: true }
    const turns = [['view'], ['view'], ['add', 'view']]
    const toolCalls = turns.map((names, turn) => ({ toolCalls: names.map((name) => call(name, {}, `${name}${turn}`)) }))
    const { agent } = await agentFor([toolOf('view', 'read', () => items), add], [...toolCalls, DONE], { maxRepeats: 2 })
    const result = await agent.resume(await pause(agent.run({ question: '?' })), { add2: true })
    expect(resultsOf(result)).toEqual(['0', '0', 'added', '1'])
  })
})

describe('failures in a row', () => {
  it('are reset by a call that succeeds in the same turn', async () => {
    let calls = 0
    const flaky = toolOf('flaky', 'read', () => {
      if (++calls < 3) throw new Error('busy')
      return 'fine'
    })
    expect((await read([flaky], [['flaky', 'flaky', 'flaky'], ['flaky']], { maxToolFailures: 2 })).slice(2)).toEqual([
      'fine',
      'fine',
    ])
  })

  it("don't count when approve rejected a call that the tool made", async () => {
    const inner = deriveApproved(toolOf('inner', 'write', () => 'done'))
    const outer = toolOf('outer', 'write', () => 'not used')
    const tool: Tool = {
      ...outer,
      execute: async (_, context) => {
        const result = await callTool(inner, { id: 'i', name: 'inner', args: {} }, context)
        if (!result.ok) throw result.error
        return result.output
      },
    }
    const turns = ['o1', 'o2', 'o3'].map((id) => ({ toolCalls: [call('outer', {}, id)] }))
    const { agent } = await agentFor([tool], [...turns, DONE], { maxToolFailures: 2 })
    let asked = 0
    const result = await agent.run({ question: '?' }, { approve: () => ++asked === 3 })
    expect(resultsOf(result).at(-1)).toBe('done')
  })
})

function deriveApproved(tool: Tool): Tool {
  return { ...tool, needsApproval: true }
}

describe('an identical call', () => {
  const numbers = { a: Type.Integer(), b: Type.Optional(Type.Integer()) }
  const look = async (texts: readonly string[], properties: TProperties = numbers) => {
    const turns = texts.map((text, index) => ({ toolCalls: [call('look', text, `l${index}`)] }))
    const { agent } = await agentFor([toolOf('look', 'read', () => 'same', properties)], [...turns, DONE], { maxRepeats: 2 })
    return resultsOf(await agent.run({ question: '?' }))
  }

  it('is recognized with different whitespace and key order', async () => {
    const results = await look(['{"a":1,"b":2}', '{ "b": 2, "a": 1 }', '{"a":1, "b":2}'])
    expect(results.at(-1)).toContain('made this call 2 times')
  })

  it.each([
    ['that is read as the same one', '12345678901234567890', '12345678901234567891'],
    ['that has no end', '1e400', '2e400'],
  ])('differs if a number differs: %s', async (_, one, other) => {
    const results = await look([`{"a":${one}}`, `{"a":${one}}`, `{"a":${other}}`], { a: Type.String() })
    expect(results.at(-1)).not.toContain('made this call 2 times')
  })

  it.each(['4111111111111111', '1e34-4d9c', 'a\\"1e5'])('is recognized with another key order next to the id %s', async (id) => {
    const properties = { a: Type.Integer(), id: Type.String() }
    const results = await look([`{"a":1,"id":"${id}"}`, `{ "id": "${id}", "a": 1 }`, `{"a":1, "id":"${id}"}`], properties)
    expect(results.at(-1)).toContain('made this call 2 times')
  })

  it('runs once per turn if it writes, whatever its whitespace', async () => {
    const { pay, paid } = payments()
    const toolCalls = [call('pay', '{"amount":5}', 'p1'), call('pay', '{ "amount": 5 }', 'p2')]
    await (await agentFor([pay], [{ toolCalls }, DONE])).agent.run({ question: '?' }, { approve: () => true })
    expect(paid).toHaveLength(1)
  })

  it.each(['"caf\\u00e9 \\u20ac5"', '"caf\u00e9 \u20ac\\u0035"'])(
    'runs once per turn if it writes, whatever its escapes: %s',
    async (other) => {
      const written: unknown[] = []
      const write = toolOf('write', 'write', (args) => written.push(args), { to: Type.String(), path: Type.String() })
      const toolCalls = [
        call('write', '{"to":"caf\u00e9 \u20ac5","path":"a/b"}', 'w1'),
        call('write', `{"path":"a\\/b","to":${other}}`, 'w2'),
      ]
      await (await agentFor([write], [{ toolCalls }, DONE])).agent.run({ question: '?' })
      expect(written).toEqual([{ to: 'caf\u00e9 \u20ac5', path: 'a/b' }])
    },
  )

  it('has an identical result even if that is too long for one page, also in a resumed run', async () => {
    const { pay } = payments()
    const long = toolOf('long', 'read', () => 'x'.repeat(200))
    const again = (id: string) => ({ toolCalls: [call('long', {}, id)] })
    const waits = { toolCalls: [call('long', {}, 'l2'), call('pay', { amount: 1 }, 'p1')] }
    const options = { maxRepeats: 2, maxResultLength: 100 }
    const { agent } = await agentFor([long], [again('l1'), again('l2'), again('l3'), DONE], options)
    expect(resultsOf(await agent.run({ question: '?' })).at(-1)).toContain('made this call 2 times')
    const reading = { ...pay, effect: 'read' as const }
    const script = [again('l1'), waits, { toolCalls: [call('pay', { amount: 2 }, 'p2')] }, again('l3'), DONE]
    const { agent: pausing } = await agentFor([long, reading], script, options)
    const first = await pause(pausing.run({ question: '?' }))
    const second = await pause(pausing.resume(first, { p1: true }))
    expect(resultsOf(await pausing.resume(second, { p2: true })).at(-1)).toContain('made this call 2 times')
  })
})
