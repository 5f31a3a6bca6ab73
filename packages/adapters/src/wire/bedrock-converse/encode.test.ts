import { describe, expect, it } from 'vitest'
import type { LMRequest, Message, ToolChoice } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import { bedrockConverse } from './wire.ts'

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const NOVA = 'amazon.nova-pro-v1:0'
const LLAMA = 'us.meta.llama3-3-70b-instruct-v1:0'
const MISTRAL = 'mistral.mistral-large-2407-v1:0'

const parameters = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }
const toolNamed = (name: string) => ({ type: 'function', function: { name, description: 'Does.', parameters } }) as const
const tools = [toolNamed('search'), toolNamed('save')]
const user: Message = { role: 'user', content: 'Hello' }
const history: readonly Message[] = [
  user,
  { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'search', arguments: '{}' }] },
  { role: 'tool', callId: 'a', name: 'search', content: 'found' },
]

function encode(request: Partial<LMRequest>, model = CLAUDE) {
  const losses: Loss[] = []
  const body = bedrockConverse.encode({ messages: [user], ...request }, model, { onLoss: (loss) => losses.push(loss) })
  return { body, losses }
}

describe('the request', () => {
  it('contains only the required fields if no others are set, and neither the model nor the stream option in its body', () => {
    const body = { messages: [{ role: 'user', content: [{ text: 'Hello' }] }] }
    expect(encode({}, NOVA)).toEqual({ body, losses: [] })
    expect(bedrockConverse.encode({ messages: [user] }, NOVA, { stream: true })).toEqual(body)
  })

  it('contains the output limit of Claude, which Bedrock truncates at 4,096 tokens otherwise', () => {
    expect(encode({})).toEqual({
      body: { messages: [{ role: 'user', content: [{ text: 'Hello' }] }], inferenceConfig: { maxTokens: 64_000 } },
      losses: [],
    })
  })

  it('is sent to the path of its model, which may be an ARN, and to another path for a stream', () => {
    const path = bedrockConverse.path as (model: string, stream: boolean) => string
    expect(path('amazon.nova-pro-v1:0', false)).toBe('/model/amazon.nova-pro-v1%3A0/converse')
    expect(path('arn:aws:bedrock:us-east-1:1:inference-profile/x.y', true)).toBe(
      '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fx.y/converse-stream',
    )
    expect(bedrockConverse.framing).toBe('aws-event-stream')
  })

  it('contains settings, with topK in the form of each model family', () => {
    const settings = { maxOutputTokens: 7, temperature: 0.5, topP: 0.9, stop: ['END'], topK: 3 }
    const inferenceConfig = { maxTokens: 7, temperature: 0.5, topP: 0.9, stopSequences: ['END'] }
    const older = encode({ settings }, 'anthropic.claude-3-7-sonnet-20250219-v1:0').body
    expect(older).toMatchObject({ inferenceConfig, additionalModelRequestFields: { top_k: 3 } })
    expect(encode({ settings }, NOVA).body.additionalModelRequestFields).toEqual({ inferenceConfig: { topK: 3 } })
    expect(encode({ settings }, LLAMA).losses).toMatchObject([{ path: '/settings/topK', action: 'dropped' }])
  })

  it("reports settings that the API doesn't support", () => {
    const { losses } = encode({
      settings: { seed: 1, presencePenalty: 0.1, frequencyPenalty: 0.2 },
      tools,
      parallelToolCalls: false,
    })
    expect(new Set(losses.map(({ path }) => path))).toEqual(
      new Set(['/settings/seed', '/settings/presencePenalty', '/settings/frequencyPenalty', '/parallelToolCalls']),
    )
  })

  it('contains cache points and other fields from provider options', () => {
    const providerOptions = {
      system: [{ text: 's' }, { cachePoint: { type: 'default' } }],
      guardrailConfig: { trace: 'enabled' },
    }
    expect(encode({ providerOptions }).body).toMatchObject(providerOptions)
  })

  it('requests a JSON reply with a schema, and reports a format without one', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
    const { body } = encode({ responseFormat: { type: 'json', schema, name: 'a', description: 'An a.' } })
    const { jsonSchema } = body.outputConfig?.textFormat.structure ?? {}
    expect(jsonSchema).toMatchObject({ name: 'a', description: 'An a.' })
    expect(JSON.parse(jsonSchema?.schema ?? '')).toEqual(schema)
    expect(encode({ responseFormat: { type: 'json' } })).toMatchObject({ losses: [{ path: '/responseFormat' }] })
  })
})

describe('tools', () => {
  const choice = (toolChoice: ToolChoice, model?: string) => encode({ tools, toolChoice }, model).body.toolConfig?.toolChoice
  const namesOf = ({ body }: ReturnType<typeof encode>) =>
    body.toolConfig?.tools.map((tool) => 'toolSpec' in tool && tool.toolSpec.name)

  it('are sent as tool specs, without empty descriptions', () => {
    const bare = { type: 'function', function: { name: 'now', description: ' ', parameters } } as const
    expect(encode({ tools: [tools[0] as (typeof tools)[0], bare] }).body.toolConfig).toEqual({
      tools: [
        { toolSpec: { name: 'search', description: 'Does.', inputSchema: { json: parameters } } },
        { toolSpec: { name: 'now', inputSchema: { json: parameters } } },
      ],
    })
  })

  it("T4-3: aren't mentioned if there are none", () => {
    expect(encode({ tools: [], toolChoice: 'auto', parallelToolCalls: false })).toMatchObject({ losses: [] })
    expect(encode({ tools: [], toolChoice: 'required' }).body).not.toHaveProperty('toolConfig')
  })

  it('are forced as far as the model family supports it', () => {
    expect(choice('auto')).toBeUndefined()
    expect(choice('required')).toEqual({ any: {} })
    expect(choice({ name: 'save' }, NOVA)).toEqual({ tool: { name: 'save' } })
    expect(choice('required', LLAMA)).toBeUndefined()
    expect(encode({ tools, toolChoice: 'required' }, LLAMA).losses).toMatchObject([{ path: '/toolChoice', action: 'refused' }])
  })

  it("are limited to the required tool if the family can't force a named one", () => {
    const forced = encode({ tools, toolChoice: { name: 'save' } }, MISTRAL)
    expect(forced.body.toolConfig?.toolChoice).toEqual({ any: {} })
    expect(namesOf(forced)).toEqual(['save'])
  })

  it("aren't forced while the model thinks, which is reported", () => {
    const providerOptions = { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2000 } } }
    const { body, losses } = encode({ tools, toolChoice: 'required', providerOptions })
    expect(body.toolConfig).not.toHaveProperty('toolChoice')
    expect(losses).toMatchObject([{ path: '/toolChoice', action: 'refused' }])
  })

  it('are omitted if calls are forbidden', () => {
    const { body, losses } = encode({ tools, toolChoice: 'none' })
    expect(body).not.toHaveProperty('toolConfig')
    expect(losses).toMatchObject([{ path: '/toolChoice', keyword: 'none', action: 'dropped' }])
  })

  it('are sent even if calls are forbidden if the history contains calls, because the API requires their tools', () => {
    const kept = encode({ messages: history, tools, toolChoice: 'none' })
    expect(namesOf(kept)).toEqual(['search', 'save'])
    expect(kept.losses).toMatchObject([{ path: '/toolChoice', keyword: 'none', action: 'refused' }])
  })

  it('of the history are sent as no longer available if the request has no tools', () => {
    const former = encode({ messages: history })
    expect(namesOf(former)).toEqual(['search'])
    expect(former.body.toolConfig?.tools[0]).toMatchObject({ toolSpec: { description: expect.stringContaining('do not call') } })
    expect(former.losses).toMatchObject([{ path: '/tools', action: 'widened' }])
  })
})
