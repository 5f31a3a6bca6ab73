/** Tests calls of a program whose output is longer than the tool may return. */
import type { PausedRun } from '@x/react-agent'
import type { Steps } from '@x/react-agent/steps'
import { defineTool, type Effect, type Tool } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { numberTool, openAgent, resultOf, runCode, textOf } from '../test/agent.ts'

function listTool(
  log: string[],
  { effect = 'read' as Effect, ...traits }: { readonly effect?: Effect; readonly [trait: string]: unknown } = {},
): Tool {
  return defineTool({
    name: 'list',
    description: 'Lists payments.',
    args: Type.Object({ count: Type.Integer() }),
    effect,
    execute: ({ count }: { count: number }) => {
      log.push(`list ${count}`)
      return Array.from({ length: count }, (_, id) => ({ id, amount: 1, note: `payment ${id}` }))
    },
    ...traits,
  } as never) as unknown as Tool
}

const READ = '(await tools.list({ count: 40000 }).catch((error) => [error.code, error.message]))'
const TOO_LONG =
  '"list" was executed, but its output is longer than 1,000,000 characters, so it can\'t be returned. Ask for less, such as a page or a filter. If the call changes something, don\'t repeat it.'

describe('an output that is longer than the tool may return', () => {
  it('throws in the program, which says how long it is and what the limit is', async () => {
    expect(await resultOf(`return ${READ}`, [listTool([])], { inline: true })).toEqual(['output_too_large', TOO_LONG])
  })

  it('is not cut for a program if the model reads another form of it', async () => {
    const tool = listTool([], { toModelOutput: (rows: unknown[]) => `${rows.length} rows` })
    expect(await resultOf(`return ${READ}`, [tool], { inline: true })).toEqual(['output_too_large', TOO_LONG])
  })

  it('is found behind a hundred other changes of the output', async () => {
    const execute = () => ['x', ...Array.from({ length: 200 }, () => Number.NaN), 'y'.repeat(2_000_000)]
    const code = `return await tools.list({ count: 1 }).catch((error) => error.code)`
    expect(await resultOf(code, [listTool([], { execute })], { inline: true })).toBe('output_too_large')
  })

  it('may be endless', async () => {
    function* endless() {
      for (;;) yield 'x'.repeat(1000)
    }
    const code = `return await tools.list({ count: 1 }).catch((error) => error.message)`
    expect(await resultOf(code, [listTool([], { execute: endless })], { inline: true })).toContain(
      'its output is longer than 1,000,000 characters',
    )
  })

  it('is returned if the tool permits its length', async () => {
    const tool = listTool([], { maxOutputLength: 10_000_000 })
    expect(await resultOf('return (await tools.list({ count: 40000 })).length', [tool], { inline: true })).toBe(40_000)
  })

  it.each([
    ['write', true],
    ['read', false],
  ] as const)('of a call that may %s counts as a change: %s', async (effect, isChange) => {
    const text = await runCode('await tools.list({ count: 40000 })', [listTool([], { effect })], { inline: true })
    expect(text).toContain('The program failed in line 1: ToolError: "list" was executed, but')
    expect(text.includes('Calls that it had already made are not undone.')).toBe(isChange)
  })

  it('is the same error when the program is resumed, and the call is not made again', async () => {
    const code = `const read = ${READ}; await tools.pay({ value: 1 }); return read`
    const log: string[] = []
    const tools = [listTool(log, { effect: 'write' }), numberTool('pay', { log, effect: 'write', needsApproval: true })]
    const agent = await openAgent(code, tools)
    const records = new Map<string, string>()
    const steps: Steps = {
      async run(key, execute) {
        const known = records.get(key)
        if (known !== undefined) return JSON.parse(known)
        const value = await execute()
        records.set(key, JSON.stringify(value) ?? 'null')
        return value
      },
      wait: async () => {
        throw Object.assign(new Error('Not decided.'), { code: 'not_decided' })
      },
    }
    for (const journal of [undefined, steps]) {
      log.length = 0
      const options = { id: 'r', steps: journal }
      const error = await agent.run({ question: '?' }, options).catch((cause: unknown) => cause)
      const paused = JSON.parse(JSON.stringify((error as { paused: PausedRun }).paused)) as PausedRun
      expect(JSON.stringify(paused).length).toBeLessThan(10_000)
      const resumed = await (await openAgent(code, tools)).resume(paused, { 'c1.2': true }, { steps: journal })
      expect(textOf(resumed)).toBe(JSON.stringify({ result: ['output_too_large', TOO_LONG] }))
      expect(log).toEqual(['list 40000', 'pay 1'])
    }
  })

  it('reaches the data flow as an error', async () => {
    const web = listTool([])
    const code = `await tools.list({ count: 40000 }).catch(() => 0); await tools.pay({ value: 1 })`
    const agent = await openAgent(code, [web, numberTool('pay', { effect: 'write' })], {
      flow: { untrusted: ['list'], sinks: ['pay'] },
    })
    const error = await agent.run({ question: '?' }).catch((cause: unknown) => cause)
    expect((error as { paused: PausedRun }).paused.pending).toMatchObject([
      { name: 'pay', message: expect.stringContaining('"list"') },
    ])
  })
})
