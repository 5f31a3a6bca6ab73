import { defineSignature, type LMRequest, textAdapter } from '@x/adapters'
import { hermes } from '@x/adapters/dialects'
import { scriptedLM } from '@x/lm/testing'
import { clientTool, createReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import { method, prefixed, renamed, Toolset } from '@x/toolset'
import { MemoryToolset } from '@x/toolset/memory'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'

const signature = defineSignature({
  instructions: 'Answer from the memory.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})

const getTime = defineTool({ name: 'get_time', description: 'The time.', args: Type.Object({}), execute: () => '09:00' })

const call = (name: string, args: object) => ({ id: `id_${name}`, name, arguments: JSON.stringify(args) })
const lastContent = (request: LMRequest | undefined) => request?.messages.at(-1)?.content

describe('an agent with a toolset and a single tool', () => {
  it('offers each method as a tool of its own, in the order of declaration, beside the single one', async () => {
    const lm = scriptedLM([{ text: 'Done.' }])
    const memory = new MemoryToolset()
    const agent = await createReactAgent({ lm, tools: [memory, getTime], signature })
    await agent.run({ question: '?' })
    const offered = lm.requests[0]?.tools?.map((tool) => tool.function.name)
    expect(offered).toEqual([...memory.tools().map(({ name }) => name), 'get_time'])
    expect(offered?.slice(0, 2)).toEqual(['memory_store', 'memory_retrieve'])
  })

  it('shares stored values with other tools, in the same run and in your own code', async () => {
    const lm = scriptedLM([
      { toolCalls: [call('memory_store', { key: 'tea', value: 'mint' }), call('get_time', {})] },
      { toolCalls: [call('memory_retrieve', { key: 'tea' })] },
      { text: 'Mint.' },
    ])
    const memory = new MemoryToolset()
    const agent = await createReactAgent({ lm, tools: [memory, getTime], signature })
    await agent.run({ question: '?' })
    expect(lastContent(lm.requests[2])).toBe('mint')
    expect(await memory.retrieve({ key: 'tea' })).toBe('mint')
  })

  it('keeps each of a hundred lines that one turn appends to one entry, in their order', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`)
    const append = (value: string) => ({ ...call('memory_update', { key: 'log', value, append: true }), id: value })
    const lm = scriptedLM([{ toolCalls: lines.map(append) }, { text: 'Done.' }])
    const memory = new MemoryToolset()
    await memory.store({ key: 'log', value: 'start' })
    const agent = await createReactAgent({ lm, tools: [memory], signature })
    await agent.run({ question: '?' })
    expect((await memory.retrieve({ key: 'log' }))?.split('\n')).toEqual(['start', ...lines])
  })

  it('shares a source that another agent wraps: the first opens it, the last closes it', async () => {
    const log: string[] = []
    class Clock extends Toolset {
      readonly name = 'clock'
      readonly now = method({ description: 'The time.', args: Type.Object({}), execute: () => '09:00' })
      async open() {
        log.push('open')
      }
      async close() {
        log.push('close')
      }
    }
    const clock = new Clock()
    const lm = scriptedLM([])
    const first = await createReactAgent({ lm, tools: [clock], signature })
    const second = await createReactAgent({ lm, tools: [prefixed(clock, 'my')], signature })
    await first.close()
    expect(log).toEqual(['open'])
    await second.close()
    expect(log).toEqual(['open', 'close'])
  })

  it('knows a client tool under any name', async () => {
    const click = clientTool({ name: 'click', description: 'Click.', args: Type.Object({}) })
    const page = { name: 'page', tools: () => [click] }
    const sources = [prefixed(page, 'ui'), renamed(page, { click: 'press' })]
    for (const [index, name] of ['ui_click', 'press'].entries()) {
      const lm = scriptedLM([{ toolCalls: [call(name, {})] }])
      const agent = await createReactAgent({ lm, tools: sources.slice(index, index + 1), signature })
      const waits = { code: 'approval_required', paused: { pending: [{ name, needs: 'result' }] } }
      await expect(agent.run({ question: '?' })).rejects.toMatchObject(waits)
    }
  })

  it('reports a missing entry to the model as the JSON text null, in both modes', async () => {
    const native = scriptedLM([{ toolCalls: [call('memory_retrieve', { key: 'tea' })] }, { text: 'None.' }])
    const agent = await createReactAgent({ lm: native, tools: [new MemoryToolset()], signature })
    await agent.run({ question: '?' })
    expect(lastContent(native.requests[1])).toBe('null')

    const retrieves = '<tool_call>\n{"name": "memory_retrieve", "arguments": {"key": "tea"}}\n</tool_call>'
    const finishes = '<tool_call>\n{"name": "finish", "arguments": {}}\n</tool_call>'
    const text = scriptedLM([{ text: retrieves }, { text: finishes }, { text: 'None.' }])
    const textAgent = await createReactAgent({ lm: text, tools: [new MemoryToolset()], signature, adapter: textAdapter(hermes) })
    await textAgent.run({ question: '?' })
    expect(lastContent(text.requests[1])).toBe('<tool_response>\nnull\n</tool_response>')
  })
})
