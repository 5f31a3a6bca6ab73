/** Parses the same cases with `@ai-sdk-tool/parser` for comparison, in the dialects that it supports. */
import type { LanguageModelV3Content, LanguageModelV3FunctionTool, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol, yamlXmlProtocol } from '@ai-sdk-tool/parser'
import type { DialectReading } from '@x/adapters/dialects'
import { compareText, type DialectCase, toToolSpec } from './dialect-case.ts'

export interface PeerScore {
  readonly passed: number
  readonly failed: number
  /** The same cases, streamed in chunks of one UTF-16 unit. */
  readonly streamed: { readonly passed: number; readonly failed: number }
}

interface Protocol {
  parseGeneratedText(options: { text: string; tools: LanguageModelV3FunctionTool[] }): LanguageModelV3Content[]
  createStreamParser(options: {
    tools: LanguageModelV3FunctionTool[]
  }): TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart>
}

const PROTOCOLS: Readonly<Record<string, () => Protocol>> = {
  hermes: hermesProtocol,
  qwen3_coder: qwen3CoderProtocol,
  morph_xml: morphXmlProtocol,
  yaml_xml: yamlXmlProtocol,
}

/** Scores the peer. Skips vacuous cases and dialects that the peer doesn't support. */
export async function scorePeer(cases: readonly DialectCase[]): Promise<Readonly<Record<string, PeerScore>>> {
  const scores: Record<string, PeerScore> = {}
  for (const [dialect, create] of Object.entries(PROTOCOLS)) {
    const own = cases.filter((one) => one.dialect === dialect && one.checked.length > 0)
    if (own.length === 0) continue
    const whole = await count(own, async (one) => readWhole(create(), one))
    const streamed = await count(own, async (one) => readStream(create(), one))
    scores[dialect] = { ...whole, streamed }
  }
  return scores
}

async function count(
  cases: readonly DialectCase[],
  read: (one: DialectCase) => Promise<DialectReading>,
): Promise<{ passed: number; failed: number }> {
  let passed = 0
  for (const one of cases) {
    const reading = await read(one).catch(() => undefined)
    if (reading !== undefined && compareText(reading, one).length === 0) passed++
  }
  return { passed, failed: cases.length - passed }
}

function readWhole(protocol: Protocol, one: DialectCase): DialectReading {
  return toReading(protocol.parseGeneratedText({ text: one.text, tools: toTools(one) }))
}

async function readStream(protocol: Protocol, one: DialectCase): Promise<DialectReading> {
  const parts: LanguageModelV3StreamPart[] = [
    { type: 'text-start', id: '0' },
    ...one.text.split('').map((delta) => ({ type: 'text-delta', id: '0', delta }) as const),
    { type: 'text-end', id: '0' },
  ]
  const stream = new ReadableStream<LanguageModelV3StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  }).pipeThrough(protocol.createStreamParser({ tools: toTools(one) }))
  const found: LanguageModelV3Content[] = []
  for await (const part of stream) {
    if (part.type === 'text-delta') found.push({ type: 'text', text: part.delta })
    else if (part.type === 'tool-call') found.push(part)
  }
  return toReading(found)
}

function toReading(content: readonly LanguageModelV3Content[]): DialectReading {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const toolCalls = content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, arguments: part.input }] : [],
  )
  return { text: text.trim(), toolCalls }
}

/**
 * Returns the case's tools. If the case allows any name, returns a tool for each called name, because the peer only parses calls to known
 * tools.
 */
function toTools({ tools, expected, alternatives = [] }: DialectCase): LanguageModelV3FunctionTool[] {
  const called = [expected, ...alternatives].flatMap(({ tool_calls: calls = [] }) => calls.map(({ name }) => name))
  const all = tools?.map(toToolSpec) ?? [...new Set(called)].map((name) => toToolSpec({ name, parameters: { type: 'object' } }))
  return all.map(({ function: { name, description, parameters } }) => {
    return { type: 'function', name, description, inputSchema: parameters }
  })
}
