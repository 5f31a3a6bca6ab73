/** Tests who may call which tool. */
import { createReactAgent } from '@x/react-agent'
import { createRegistry, lazy } from '@x/registry'
import type { Tool } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { numberTool, signature } from '../test/agent.ts'
import { type CodeModeOptions, codeMode } from './index.ts'

/** Runs one turn of calls, and returns what was offered and what the calls gave. */
async function play(tools: readonly unknown[], calls: readonly (readonly [name: string, args: object])[]) {
  let offered: readonly string[] = []
  const agent = await createReactAgent({
    lm: {
      generate: async (request) => {
        offered = (request.tools ?? []).map((spec) => spec.function.name)
        if (request.messages.some(({ role }) => role === 'tool')) return { text: 'Done.', toolCalls: [] }
        return {
          text: '',
          toolCalls: calls.map(([name, args], index) => ({ id: `c${index}`, name, arguments: JSON.stringify(args) })),
        }
      },
    },
    tools: tools as readonly Tool[],
    signature,
  })
  const { trajectory } = await agent.run({ question: '?' })
  const results = trajectory.messages.flatMap((message) => ('callId' in message ? [String(message.content)] : []))
  return { offered, results }
}

const tools = [numberTool('get_price'), numberTool('get_secret'), numberTool('pay', { effect: 'write' }), numberTool('log')]

describe('callers', () => {
  const callers = { pay: ['direct'], 'get_*': ['direct', 'code'], get_secret: [] } as const

  it('decide what the model is offered and what its programs may call', async () => {
    const code = 'return [await tools.get_price({ value: 1 }), await tools.log({ value: 2 })]'
    const forbidden = 'return await tools.pay({ value: 1 })'
    const secret = 'return await tools.get_secret({ value: 1 })'
    const { offered, results } = await play(codeMode(tools, { callers }), [
      ['run_code', { code }],
      ['pay', { value: 3 }],
      ['run_code', { code: forbidden }],
      ['run_code', { code: secret }],
      ['get_secret', { value: 1 }],
      ['log', { value: 1 }],
    ])
    expect(offered).toEqual(['run_code', 'get_price', 'pay'])
    expect(JSON.parse(results[0] ?? '')).toEqual({ result: [{ value: 1 }, { value: 2 }] })
    expect(JSON.parse(results[1] ?? '')).toEqual({ value: 3 })
    expect(results[2]).toContain('There is no tool "pay"')
    expect(results[3]).toContain('There is no tool "get_secret"')
    expect(results[4]).toContain('get_secret')
    expect(results[4]).not.toContain('{"value":1}')
    expect(results[5]).not.toContain('{"value":1}')
  })

  it('of no tool leave all tools to programs', async () => {
    const { offered } = await play(codeMode(tools, { callers: {} }), [['run_code', { code: 'return 1' }]])
    expect(offered).toEqual(['run_code'])
  })

  it('import no tool before it is called', async () => {
    const loaded: string[] = []
    const load = (name: string) => async () => {
      loaded.push(name)
      return { default: numberTool(name) }
    }
    const registry = createRegistry(['one', 'two'].map((name) => lazy(name, load(name) as never, { description: name })))
    codeMode(registry, { callers: { one: ['direct', 'code'] } })
    expect(loaded).toEqual([])
  })

  it('that are invalid throw', () => {
    for (const [given, message] of [
      [
        { pays: ['direct'] },
        'codeMode: callers lists "pays", which matches no tool: the tools are get_price, get_secret, pay, log. Did',
      ],
      [{ pay: ['model'] }, `callers["pay"] must be a list of 'direct' and 'code'`],
      [{ pay: 'direct' }, `callers["pay"] must be a list`],
      [undefined, 'callers must be an object'],
    ])
      expect(() => codeMode(tools, { callers: given as unknown as CodeModeOptions['callers'] })).toThrow(String(message))
  })

  it('that leave no tool to programs throw', () => {
    expect(() => codeMode(tools, { callers: { '*': ['direct'] } })).toThrow(
      "codeMode: callers leaves no tool to programs. Add 'code' to a tool, or give the agent the tools without codeMode.",
    )
    expect(codeMode([], { callers: { '*': ['direct'] } })).toHaveLength(1)
  })
})

describe('codeMode', () => {
  it.each([
    [{ alow: ['log'] }, 'codeMode: there is no option "alow".'],
    [{ allow: ['log'] }, 'codeMode: there is no option "allow". Options: callers, name, limits,'],
    [{ calers: {} }, 'codeMode: there is no option "calers". Did you mean "callers"?'],
  ])('refuses the unknown option in %j', (options, message) => {
    expect(() => codeMode(tools, { callers: {}, ...options })).toThrow(
      expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(message) }),
    )
  })

  it('refuses the name of a tool that the model calls directly', () => {
    const message = 'codeMode: name is "pay", which is also a tool that the model calls directly. Pass another name.'
    expect(() => codeMode(tools, { name: 'pay', callers: { pay: ['direct', 'code'] } })).toThrow(message)
    expect(() => codeMode([...tools, numberTool('run_code')], { callers: { run_code: ['direct'] } })).toThrow('"run_code"')
  })
})
