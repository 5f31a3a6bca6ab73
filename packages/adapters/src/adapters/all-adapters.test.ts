/** Tests behavior that all adapters share. Each adapter's own tests cover the differences. */
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { hermes } from '../dialects/hermes.ts'
import { defineSignature } from '../signature/define-signature.ts'
import { ToolCalls, Tools } from '../signature/tool-fields.ts'
import { chatAdapter } from './chat.ts'
import { customAdapter } from './custom.ts'
import { jsonAdapter } from './json.ts'
import { nativeAdapter } from './native.ts'
import { textAdapter } from './text.ts'

const custom = customAdapter({
  name: 'custom',
  formatInstructions: () => 'Answer.',
  parse: ({ outputs }, text) => ({ [Object.keys(outputs)[0] as string]: text }),
})
const adapters = [nativeAdapter, textAdapter(hermes), chatAdapter, jsonAdapter, custom]

const execute = vi.fn(() => 'deleted')
const deleteAll = defineTool({ name: 'delete_all', description: 'Deletes.', args: Type.Object({}), execute })
const inputs = { question: Type.String() }
const outputs = { answer: Type.String() }
const answer = defineSignature({ instructions: 'Answer.', inputs, outputs })
const plan = defineSignature({
  instructions: 'Plan.',
  inputs: { ...inputs, tools: Tools() },
  outputs: { reasoning: Type.String(), tool_calls: ToolCalls() },
})
const call = { id: 'call_7', name: 'delete_all', arguments: '{}' }

describe.each(adapters.map((adapter) => [adapter.name, adapter] as const))('%s', (_, adapter) => {
  it('T4-3: creates the same request, byte for byte, for an empty and for an absent tool field', () => {
    const signature = defineSignature({ instructions: 'Answer.', inputs: { ...inputs, tools: Tools() }, outputs })
    const bare = adapter.format(answer, { question: 'q' }, { toolChoice: 'required' })
    for (const tools of [[], null, undefined]) {
      const request = adapter.format(signature, { question: 'q', tools: tools as never }, { toolChoice: 'required' })
      expect(JSON.stringify(request)).toBe(JSON.stringify(bare))
    }
    expect(Object.keys(bare)).not.toContain('tools')
    expect(Object.keys(bare)).not.toContain('toolChoice')
  })

  it("T4-5: refuses a value that isn't a tool when a conversation begins", () => {
    const tools = [deleteAll, { name: 'bare' } as never]
    expect(() => adapter.begin(plan, { question: 'q', tools })).toThrow(
      expect.objectContaining({ code: 'invalid_tool_spec', field: 'tools', path: '/tools/1' }),
    )
  })

  it('T4-7: accepts calls without text', () => {
    for (const text of ['', ' \n', null]) {
      const parsed = adapter.parse(plan, { text: text as string, toolCalls: [call] })
      expect([parsed.outputs, parsed.errors]).toEqual([
        { reasoning: '', tool_calls: [{ id: 'call_7', name: 'delete_all', args: {} }] },
        [],
      ])
    }
  })

  it('T4-9: reports a reply with neither text nor calls as an error', () => {
    for (const signature of [answer, plan])
      expect(adapter.parse(signature, { text: '', toolCalls: [] }).errors).toMatchObject([{ code: 'empty_response' }])
  })

  it('T4-10: ignores calls if the signature has no field for them', () => {
    const parsed = adapter.parse(answer, { text: '42', toolCalls: [call] })
    expect([parsed.outputs, parsed.errors]).toEqual([{ answer: '42' }, []])
  })

  it("T4-12: reports arguments that can't be parsed, with the name, the id and the raw text", () => {
    const bad = { ...call, arguments: '{bad json' }
    const { errors } = adapter.parse(plan, { text: '', toolCalls: [bad] })
    expect(errors).toMatchObject([{ code: 'invalid_tool_call_arguments', field: 'tool_calls', call: bad }])
  })

  it('T4-16: keeps the other data of a response, and returns metadata to its provider', () => {
    const response = { text: 'Hm.', toolCalls: [{ ...call, metadata: { acme: 1 } }], metadata: { acme: 2 }, raw: { usage: 3 } }
    const parsed = adapter.parse(plan, response)
    expect(parsed.response).toEqual(response)
    const conversation = adapter.begin(plan, { question: 'q', tools: [deleteAll] })
    conversation.append(parsed)
    expect(conversation.messages.at(-1)).toMatchObject({ toolCalls: response.toolCalls, metadata: { acme: 2 } })
  })

  it('T4-24: parses the same response twice with the same result, and executes nothing', () => {
    adapter.format(plan, { question: 'q', tools: [deleteAll] })
    const responses = [
      { text: 'Go.', toolCalls: [call] },
      { text: '<tool_call>{"name":"delete_all"}</tool_call>', toolCalls: [] },
      { text: '[[ ## answer ## ]]\n{"answer":', toolCalls: [{ ...call, name: '' }] },
    ]
    for (const response of responses)
      for (const signature of [answer, plan])
        expect(adapter.parse(signature, response)).toEqual(adapter.parse(signature, response))
    expect(execute).not.toHaveBeenCalled()
  })
})
