import { describe, expect, it } from 'vitest'
import type { LMRequest, ToolChoice } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import type { ModelFacts } from '../facts/model-facts.ts'
import { anthropicMessages } from './wire.ts'

const tool = {
  type: 'function',
  function: { name: 'search', description: 'Searches.', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
} as const

/** An unknown model. Its limit is given, so that no limit has to be assumed. */
const facts = { maxOutputTokens: 4_096 }

function encode(request: Partial<LMRequest>, stream = false, own: ModelFacts = facts) {
  const losses: Loss[] = []
  const messages = [{ role: 'user', content: 'Hello' }] as const
  const body = anthropicMessages.encode({ messages, ...request }, 'claude', {
    stream,
    facts: own,
    onLoss: (loss) => losses.push(loss),
  })
  return { body, losses }
}

describe('the request', () => {
  it('contains only the required fields if no others are set', () => {
    expect(encode({})).toEqual({
      body: { model: 'claude', max_tokens: 4096, messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] },
      losses: [],
    })
  })

  it('uses the path with the version, and sends the key and the version in separate headers', () => {
    expect(anthropicMessages.path).toBe('/messages')
    expect(anthropicMessages.authHeaders?.('k')).toEqual({ 'x-api-key': 'k' })
    expect(anthropicMessages.headers).toEqual({ 'anthropic-version': '2023-06-01' })
  })

  it('requests a stream', () => {
    expect(encode({}, true).body.stream).toBe(true)
  })

  it('is overridden by provider options', () => {
    expect(encode({ providerOptions: { max_tokens: 9, thinking: { type: 'disabled' } } }).body).toMatchObject({
      max_tokens: 9,
      thinking: { type: 'disabled' },
    })
  })
})

describe('settings', () => {
  it('are sent under their names in this API', () => {
    const settings = { maxOutputTokens: 7, temperature: 0.5, topP: 0.9, topK: 3, stop: ['END'] }
    expect(encode({ settings })).toMatchObject({
      body: { max_tokens: 7, temperature: 0.5, top_p: 0.9, top_k: 3, stop_sequences: ['END'] },
      losses: [],
    })
  })

  it("are reported if the API doesn't support them", () => {
    const { losses } = encode({ settings: { seed: 1, presencePenalty: 0.1, frequencyPenalty: 0.2 } })
    expect(losses.map(({ path }) => path)).toEqual(['/settings/seed', '/settings/presencePenalty', '/settings/frequencyPenalty'])
  })

  it('send at most the maximum temperature of the API, and report the change', () => {
    const { body, losses } = encode({ settings: { temperature: 1.5 } })
    expect(body.temperature).toBe(1)
    expect(losses).toMatchObject([{ path: '/settings/temperature', action: 'dropped' }])
  })

  it('drop a stop sequence of white space, which the API rejects', () => {
    const { body, losses } = encode({ settings: { stop: ['\n', 'END'] } })
    expect(body.stop_sequences).toEqual(['END'])
    expect(losses).toMatchObject([{ path: '/settings/stop' }])
    expect(encode({ settings: { stop: ['\n'] } }).body).not.toHaveProperty('stop_sequences')
  })

  it('leave room for the answer in addition to a thinking budget', () => {
    const thinking = { type: 'enabled', budget_tokens: 8000 }
    expect(encode({ providerOptions: { thinking } }, false, {}).body.max_tokens).toBe(12_096)
  })
})

describe('tools', () => {
  it('are sent with their schema as input_schema', () => {
    expect(encode({ tools: [tool] }).body.tools).toEqual([
      { name: 'search', description: 'Searches.', input_schema: tool.function.parameters },
    ])
  })

  it("T4-3: aren't mentioned if there are none", () => {
    const { body } = encode({ tools: [], toolChoice: 'required', parallelToolCalls: false })
    expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'messages'])
  })

  it('omit an empty description, and become an object if the schema has no type', () => {
    const bare = { type: 'function', function: { name: 'now', description: '', parameters: {} } } as const
    const sent = encode({ tools: [bare] }).body.tools
    expect(sent).toMatchObject([{ name: 'now', input_schema: { type: 'object' } }])
    expect(sent?.[0]).not.toHaveProperty('description')
  })

  it('are sent with each tool choice', () => {
    const choice = (toolChoice: ToolChoice) => encode({ tools: [tool], toolChoice }).body.tool_choice
    expect(choice('auto')).toEqual({ type: 'auto' })
    expect(choice('required')).toEqual({ type: 'any' })
    expect(choice('none')).toEqual({ type: 'none' })
    expect(choice({ name: 'search' })).toEqual({ type: 'tool', name: 'search' })
    expect(encode({ tools: [tool] }).body).not.toHaveProperty('tool_choice')
  })

  it('limit parallel calls in the tool choice, except for a choice that forbids calls', () => {
    const choice = (toolChoice?: ToolChoice) => encode({ tools: [tool], toolChoice, parallelToolCalls: false }).body.tool_choice
    expect(choice()).toEqual({ type: 'auto', disable_parallel_tool_use: true })
    expect(choice('required')).toEqual({ type: 'any', disable_parallel_tool_use: true })
    expect(choice('none')).toEqual({ type: 'none' })
  })

  it("aren't forced while the model thinks, which is reported", () => {
    const providerOptions = { thinking: { type: 'enabled', budget_tokens: 2000 } }
    const { body, losses } = encode({ tools: [tool], toolChoice: 'required', providerOptions })
    expect(body.tool_choice).toEqual({ type: 'auto' })
    expect(losses).toMatchObject([{ path: '/toolChoice', action: 'refused' }])
  })
})

describe('a JSON reply', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }

  it('is requested with its schema', () => {
    const { body, losses } = encode({ responseFormat: { type: 'json', schema, description: 'An a.' } })
    expect(body.output_config).toEqual({ format: { type: 'json_schema', schema } })
    expect(losses).toMatchObject([{ path: '/responseFormat/description', action: 'dropped' }])
  })

  it('is reported as a loss without a schema', () => {
    const { body, losses } = encode({ responseFormat: { type: 'json' } })
    expect(body).not.toHaveProperty('output_config')
    expect(losses).toMatchObject([{ path: '/responseFormat', action: 'dropped' }])
  })
})
