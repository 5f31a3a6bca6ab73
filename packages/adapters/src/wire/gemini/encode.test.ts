import type { ToolSpec } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import type { LMRequest } from '../../index.ts'
import type { Loss } from '../../shaping/loss.ts'
import { gemini } from './wire.ts'

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const weather: ToolSpec = { type: 'function', function: { name: 'weather', description: 'Tells the weather.', parameters: city } }
const dice: ToolSpec = {
  type: 'function',
  function: { name: 'dice', description: 'Rolls.', parameters: { type: 'object', properties: {} } },
}

function encode(request: Partial<LMRequest>, model = 'gemini-3-pro-preview') {
  const losses: Loss[] = []
  const body = gemini.encode({ messages: [{ role: 'user', content: 'Hello' }], ...request }, model, {
    onLoss: (loss) => losses.push(loss),
  })
  return { ...body, losses }
}
const functionsOf = (body: ReturnType<typeof encode>) => body.tools?.[0]?.functionDeclarations ?? []

describe('the endpoint', () => {
  const path = (model: string, stream = false) => (gemini.path as (model: string, stream: boolean) => string)(model, stream)

  it('contains the model, the method and, for a stream, the parameter for server-sent events', () => {
    expect(path('gemini-2.5-pro')).toBe('/models/gemini-2.5-pro:generateContent')
    expect(path('gemini-2.5-pro', true)).toBe('/models/gemini-2.5-pro:streamGenerateContent?alt=sse')
  })

  it('accepts a model name that is already a path', () => {
    expect(path('models/gemini-2.5-pro')).toBe('/models/gemini-2.5-pro:generateContent')
    expect(path('tunedModels/mine')).toBe('/tunedModels/mine:generateContent')
    expect(path('/publishers/google/models/gemini-2.5-pro')).toBe('/publishers/google/models/gemini-2.5-pro:generateContent')
  })

  it("can't be changed by a malicious model name", () => {
    expect(path('gemini?key=x#')).toBe('/models/gemini%3Fkey%3Dx%23:generateContent')
  })

  it('receives the key in its own header', () => {
    expect(gemini.authHeaders?.('secret')).toEqual({ 'x-goog-api-key': 'secret' })
  })
})

describe('encoding tools', () => {
  it('sends JSON Schema since 2.5, and the OpenAPI subset before', () => {
    for (const model of [
      'gemini-2.5-flash',
      'models/gemini-3-pro',
      'gemini-10',
      'gemini-flash-latest',
      'publishers/google/models/gemini-2.5-pro',
    ])
      expect(functionsOf(encode({ tools: [weather] }, model))[0]).toEqual({
        name: 'weather',
        description: 'Tells the weather.',
        parametersJsonSchema: city,
      })
    for (const model of ['gemini-2.0-flash', 'gemini-1.5-pro', 'gemini-pro', 'gemma-3-27b-it', 'tunedModels/gemini', 'x'])
      expect(functionsOf(encode({ tools: [weather] }, model))[0]).toHaveProperty('parameters')
  })

  it('omits the parameters of a tool without properties, except if it accepts any property', () => {
    expect(functionsOf(encode({ tools: [dice] }))).toEqual([{ name: 'dice', description: 'Rolls.' }])
    expect(functionsOf(encode({ tools: [dice] }, 'gemini-2.0-flash'))).toEqual([{ name: 'dice', description: 'Rolls.' }])
    const parameters = { type: 'object', additionalProperties: { type: 'string' } }
    const map = { ...dice, function: { ...dice.function, parameters } }
    expect(functionsOf(encode({ tools: [map] }))[0]?.parametersJsonSchema).toMatchObject(parameters)
  })

  it('writes each tool choice', () => {
    const config = (extra: Partial<LMRequest>, model?: string) =>
      encode({ tools: [weather], ...extra }, model).toolConfig?.functionCallingConfig
    expect(config({})).toBeUndefined()
    expect(config({ toolChoice: 'auto' })).toEqual({ mode: 'AUTO' })
    expect(config({ toolChoice: 'none' })).toEqual({ mode: 'NONE' })
    expect(config({ toolChoice: 'required' })).toEqual({ mode: 'ANY' })
    expect(config({ toolChoice: { name: 'weather' } })).toEqual({ mode: 'ANY', allowedFunctionNames: ['weather'] })
  })

  it('enforces the schemas for the choice auto in strict mode', () => {
    expect(encode({ tools: [weather], strictTools: true }).toolConfig).toEqual({ functionCallingConfig: { mode: 'VALIDATED' } })
    expect(encode({ tools: [weather], strictTools: true, toolChoice: 'required' }).toolConfig).toEqual({
      functionCallingConfig: { mode: 'ANY' },
    })
  })

  it("reports that older models have no strict mode, and that parallel calls can't be limited", () => {
    const { losses, toolConfig } = encode({ tools: [weather], strictTools: true, parallelToolCalls: false }, 'gemini-2.0-flash')
    expect(toolConfig).toBeUndefined()
    expect(losses).toContainEqual(expect.objectContaining({ path: '/strictTools', keyword: 'strictTools', action: 'refused' }))
    expect(losses).toContainEqual({ path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped' })
    expect(encode({ tools: [weather], parallelToolCalls: true }).losses).toEqual([])
  })
})

describe('encoding settings', () => {
  it('writes every setting', () => {
    const settings = {
      temperature: 0,
      topP: 0.5,
      topK: 3,
      maxOutputTokens: 9,
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
    }
    expect(encode({ settings: { ...settings, stop: ['END'] } }).generationConfig).toEqual({ ...settings, stopSequences: ['END'] })
    expect(Object.keys(encode({ settings: { temperature: undefined } }))).toEqual(['contents', 'losses'])
  })

  it('requests JSON, with a schema if there is one', () => {
    expect(encode({ responseFormat: { type: 'json' } }).generationConfig).toEqual({ responseMimeType: 'application/json' })
    expect(encode({ responseFormat: { type: 'json', schema: city, description: 'Where.' } }).generationConfig).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: { description: 'Where.', ...city },
    })
    const { generationConfig } = encode({ responseFormat: { type: 'json', schema: city } }, 'gemini-2.0-flash')
    expect(generationConfig?.responseSchema).toMatchObject({ properties: { city: { type: 'string' } } })
  })

  it("doesn't request JSON with tools if that isn't supported, and reports it", () => {
    const request: Partial<LMRequest> = { tools: [weather], responseFormat: { type: 'json' } }
    expect(encode(request).generationConfig).toEqual({ responseMimeType: 'application/json' })
    const { generationConfig, losses } = encode(request, 'gemini-2.5-pro')
    expect(generationConfig).toBeUndefined()
    expect(losses).toContainEqual(expect.objectContaining({ path: '/responseFormat', action: 'dropped' }))
  })

  it('reports a name and a description without a schema as lost', () => {
    const { losses } = encode({ responseFormat: { type: 'json', name: 'place', description: 'Where.' } })
    expect(losses.map(({ path }) => path)).toEqual(['/responseFormat/name', '/responseFormat/description'])
  })
})
