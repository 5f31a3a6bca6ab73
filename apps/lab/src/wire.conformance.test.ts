/** Recorded Chat Completions traffic: what is read equals what the corpus says. */
import type { LMDelta, LMResponse } from '@x/adapters'
import { collectDeltas } from '@x/adapters'
import { parseArguments } from '@x/adapters/arguments'
import { openaiChat } from '@x/adapters/wire'
import { expect, it } from 'vitest'
import { describeCorpus, readCorpus } from './corpora.ts'

interface ExpectedCall {
  readonly id: string | null
  readonly name: string
  readonly arguments: object | null
  readonly truncated?: boolean
}
interface WireCase {
  readonly id: string
  readonly streaming: boolean
  readonly body?: unknown
  readonly chunks?: readonly unknown[]
  readonly expected: {
    readonly text?: string
    readonly tool_calls?: readonly ExpectedCall[]
    readonly finish?: string | null
    readonly finish_reason?: string | null
    readonly usage?: { readonly input_tokens: number | null; readonly output_tokens: number | null } | null
    readonly reasoning?: string
    readonly refusal?: string
    readonly error?: unknown
  }
}

describeCorpus('openai-chat on recorded traffic', readCorpus('wire/cases/openai-chat'), (corpus) => {
  for (const { json } of corpus) {
    const wireCase = json as WireCase
    it(wireCase.id, () => check(read(wireCase), wireCase.expected))
  }
})

function read({ streaming, body, chunks = [] }: WireCase): LMResponse {
  if (!streaming) return openaiChat.decode(body)
  const decoder = openaiChat.streamDecoder?.()
  const deltas: LMDelta[] = chunks.flatMap((chunk) => [...(decoder?.push(chunk) ?? [])])
  return collectDeltas([...deltas, ...(decoder?.end() ?? [])])
}

/** A key that is absent in `expected` is not asserted. */
function check(response: LMResponse, expected: WireCase['expected']): void {
  if (expected.text !== undefined) expect(response.text).toBe(expected.text)
  if (expected.tool_calls !== undefined) checkCalls(response, expected.tool_calls)
  if (expected.finish !== undefined) expect(response.finish ?? null).toBe(expected.finish)
  if (expected.finish_reason !== undefined) expect(response.rawFinish ?? null).toBe(expected.finish_reason)
  if (expected.reasoning !== undefined) expect(response.reasoning ?? '').toBe(expected.reasoning)
  if (expected.refusal !== undefined) expect(response.refusal ?? '').toBe(expected.refusal)
  if (expected.error !== undefined) expect(response.error?.message).toBeTruthy()
  if (expected.usage !== undefined) {
    expect(response.usage?.inputTokens || null).toBe(expected.usage?.input_tokens || null)
    expect(response.usage?.outputTokens || null).toBe(expected.usage?.output_tokens || null)
  }
}

function checkCalls({ toolCalls }: LMResponse, expected: readonly ExpectedCall[]): void {
  expect(toolCalls.map(({ name }) => name)).toEqual(expected.map(({ name }) => name))
  expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(toolCalls.length)
  for (const [index, call] of expected.entries()) {
    const actual = toolCalls[index] as (typeof toolCalls)[number]
    if (call.id !== null) expect(actual.id).toBe(call.id)
    const parsed = parseArguments(actual.arguments)
    expect(parsed.ok ? parsed.value : null).toEqual(call.arguments)
    if (call.truncated) expect(actual.truncated).toBe(true)
  }
}
