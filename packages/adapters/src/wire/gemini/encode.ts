/** Encodes a canonical request as a request body of Gemini. */
import type { ToolSpec } from '@x/tool-core'
import { once } from '../../once.ts'
import type { ResponseFormat } from '../../protocol/protocol.ts'
import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { type ShapedTool, shapeFor } from '../../shaping/shape.ts'
import type { WireRequest } from '../define-wire.ts'
import type { ReasoningPlan, SentEffort } from '../facts/plan-reasoning.ts'
import { loseFormatWords } from '../losses.ts'
import { isObject, type JsonObject, optional } from '../read-json.ts'
import type { GeminiBody, GeminiCallingConfig, GeminiFunction, GeminiGenerationConfig } from './body.ts'
import { encodeMessages } from './contents.ts'
import { type ModelTraits, traitsOf } from './models.ts'
import { geminiJsonSchemaRules, geminiRules } from './rules.ts'

export function encodeBody(wireRequest: WireRequest): GeminiBody {
  const { model, messages, lose } = wireRequest
  const traits = traitsOf(model)
  return {
    ...encodeMessages(messages, traits, lose),
    ...encodeTools(wireRequest, traits),
    ...encodeConfig(wireRequest, traits),
  }
}

export function rulesFor(model: string): ToolRules {
  return traitsOf(model).jsonSchema ? geminiJsonSchemaRules : geminiRules
}

function encodeTools(wireRequest: WireRequest, traits: ModelTraits): Pick<GeminiBody, 'tools' | 'toolConfig'> {
  const { tools, parallelToolCalls, lose } = wireRequest
  if (tools.length === 0) return {}
  if (parallelToolCalls === false) lose({ path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped' })
  const functionCallingConfig = encodeChoice(wireRequest, traits)
  return {
    tools: [{ functionDeclarations: tools.map(traits.jsonSchema ? toJsonSchemaFunction : toFunction) }],
    ...(functionCallingConfig && { toolConfig: { functionCallingConfig } }),
  }
}

const toJsonSchemaFunction = once(({ tool }: ShapedTool) => toDeclaration(tool, 'parametersJsonSchema'))
const toFunction = once(({ tool }: ShapedTool) => toDeclaration(tool, 'parameters'))

function toDeclaration(
  { function: { name, description, parameters } }: ToolSpec,
  field: 'parameters' | 'parametersJsonSchema',
): GeminiFunction {
  return { name, description, ...(!isEmpty(parameters) && { [field]: parameters }) }
}

/** True for an object schema without properties, which older models reject. */
function isEmpty(schema: JsonObject): boolean {
  const { type, properties, required, additionalProperties = false, description, title, ...more } = schema
  const hasNone = !isObject(properties) || Object.keys(properties).length === 0
  return hasNone && additionalProperties === false && Object.keys(more).length === 0
}

/**
 * Encodes the tool choice. `VALIDATED` is `AUTO` with enforced schemas; `ANY` always enforces them. If the model has no strict mode,
 * shaping reports this for each tool.
 */
function encodeChoice({ toolChoice, request }: WireRequest, { validated }: ModelTraits): GeminiCallingConfig | undefined {
  if (typeof toolChoice === 'object') return { mode: 'ANY', allowedFunctionNames: [toolChoice.name] }
  if (toolChoice === 'required') return { mode: 'ANY' }
  if (toolChoice === 'none') return { mode: 'NONE' }
  if (request.strictTools === true && validated) return { mode: 'VALIDATED' }
  return toolChoice === 'auto' ? { mode: 'AUTO' } : undefined
}

function encodeConfig(wireRequest: WireRequest, traits: ModelTraits): Pick<GeminiBody, 'generationConfig'> {
  const { settings, reasoning } = wireRequest
  const { temperature, topP, topK, maxOutputTokens, stop, seed, presencePenalty, frequencyPenalty } = settings
  const stopSequences = stop && [...stop]
  const generationConfig = {
    ...optional({ temperature, topP, topK, maxOutputTokens, stopSequences, seed, presencePenalty, frequencyPenalty }),
    ...encodeReasoning(reasoning),
    ...encodeFormat(wireRequest, traits),
  } as GeminiGenerationConfig
  return Object.keys(generationConfig).length === 0 ? {} : { generationConfig }
}

function encodeReasoning(plan: ReasoningPlan | undefined): Pick<GeminiGenerationConfig, 'thinkingConfig'> {
  if (plan?.kind === 'effort') return { thinkingConfig: { thinkingLevel: plan.effort.toUpperCase() as Uppercase<SentEffort> } }
  if (plan?.kind === 'budget') return { thinkingConfig: { thinkingBudget: plan.tokens } }
  return plan?.kind === 'off' ? { thinkingConfig: { thinkingBudget: 0 } } : {}
}

function encodeFormat(wireRequest: WireRequest, traits: ModelTraits): GeminiGenerationConfig {
  const { request, tools, lose } = wireRequest
  const format = request.responseFormat
  if (format === undefined) return {}
  if (tools.length > 0 && !traits.jsonBesideTools) {
    lose({ path: '/responseFormat', keyword: 'responseFormat', action: 'dropped', note: 'not supported with tools' })
    return {}
  }
  loseFormatWords(format, ['name'], lose)
  const responseMimeType = 'application/json'
  const schema = shapeFormat(format, wireRequest)
  if (schema === undefined) return { responseMimeType }
  return traits.jsonSchema ? { responseMimeType, responseJsonSchema: schema } : { responseMimeType, responseSchema: schema }
}

/** Shapes the schema of the reply by the rules that apply to tools. */
function shapeFormat({ schema, description }: ResponseFormat, { model, lose }: WireRequest): JsonObject | undefined {
  if (schema === undefined) {
    if (description !== undefined) lose({ path: '/responseFormat/description', keyword: 'description', action: 'dropped' })
    return undefined
  }
  const parameters = { ...optional({ description }), ...schema }
  const { tool, losses } = shapeFor(
    { type: 'function', function: { name: 'response', description: '', parameters } },
    rulesFor(model),
  )
  for (const loss of losses) lose({ ...loss, path: `/responseFormat/schema${loss.path}` })
  return tool.function.parameters
}
