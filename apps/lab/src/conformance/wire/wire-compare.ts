/** Compares a response with the expected reading of a recorded reply. Keys that can't be checked count as differences. */
import type { LMResponse, ProviderCall, ProviderError, Usage } from '@x/adapters'
import { difference, missing, show } from '../compare.ts'
import type { ExpectedProviderCall, ExpectedReply, ExpectedUsage } from './wire-case.ts'
import { compareCalls } from './wire-compare-calls.ts'

/** Returns one line for each difference. */
export function compareReply(response: LMResponse, expected: ExpectedReply): readonly string[] {
  return Object.entries(expected).flatMap(([key, wanted]) => {
    if (NOT_ASSERTED.includes(key)) return []
    if (!Object.hasOwn(CHECKS, key)) return [`cannot check ${show(key)}`]
    const check = CHECKS[key as keyof ExpectedReply] as (response: LMResponse, wanted: unknown) => readonly string[]
    return check(response, wanted)
  })
}

/** Keys that only comment on the case. */
const NOT_ASSERTED = ['note']

type Checks = { readonly [Key in keyof ExpectedReply]-?: (response: LMResponse, wanted: ExpectedReply[Key]) => readonly string[] }

const CHECKS: Checks = {
  text: ({ text }, wanted) => difference('text', wanted ?? '', text),
  tool_calls: ({ toolCalls }, wanted = []) => compareCalls(toolCalls, wanted),
  finish_reason: ({ rawFinishReason }, wanted) => difference('finish_reason', wanted, rawFinishReason ?? null),
  finish: ({ finishReason }, wanted) => difference('finish', wanted, finishReason ?? null),
  usage: ({ usage }, wanted) => compareUsage(usage, wanted ?? NOT_REPORTED),
  usage_raw: ({ usage }, wanted) => compareRawUsage(usage, wanted),
  reasoning: ({ reasoning }, wanted) => difference('reasoning', wanted ?? '', reasoning ?? ''),
  refusal: ({ refusal }, wanted) => difference('refusal', wanted ?? '', refusal ?? ''),
  error: ({ error }, wanted) => compareError(error, wanted),
  // A tool plan may be part of the model's reasoning, or of the metadata that is sent back to the provider.
  tool_plan: ({ reasoning, metadata }, wanted) => missing('tool_plan', { reasoning, metadata }, wanted),
  finish_message: ({ metadata }, wanted) => missing('finish_message', metadata, wanted),
  other_calls: ({ providerCalls = [] }, wanted) => compareProviderCalls(providerCalls, wanted ?? []),
}
const NOT_REPORTED: ExpectedUsage = { input_tokens: null, output_tokens: null }

function compareProviderCalls(found: readonly ProviderCall[], wanted: readonly ExpectedProviderCall[]): readonly string[] {
  if (found.length !== wanted.length)
    return [`other_calls: expected ${wanted.length}, found ${found.length} (${found.map(({ type }) => type).join(', ')})`]
  return wanted.flatMap((call, index) => {
    const { raw, ...known } = found[index] as ProviderCall
    const parts: Readonly<Record<string, unknown>> = known
    return Object.entries(call).flatMap(([key, part]) => {
      const what = `other_calls[${index}].${key}`
      return CALL_KEYS.includes(key) ? difference(what, part, parts[key] ?? null) : missing(what, raw, part)
    })
  })
}
/** Keys of our own call objects. All other expected keys must be in the provider's own block. */
const CALL_KEYS = ['type', 'id', 'name', 'by']

function compareUsage(usage: Usage | undefined, wanted: ExpectedUsage): readonly string[] {
  return Object.entries(wanted).flatMap(([key, count]) => {
    if (key === 'input_tokens') return compareCount(key, count, usage?.inputTokens)
    return key === 'output_tokens' ? compareCount(key, count, usage?.outputTokens) : [`usage: cannot check ${show(key)}`]
  })
}

/** Compares the provider's token counts with the response, except counts that a response has no field for. */
function compareRawUsage(usage: Usage | undefined, raw: unknown): readonly string[] {
  return RAW_COUNTS.flatMap(({ field, paths }) => {
    const counts = paths.flatMap(
      (path) => path.reduce<unknown>((value, key) => (value as Counts | null | undefined)?.[key], raw) ?? [],
    )
    return counts.flatMap((count) => compareCount(`usage_raw ${field}`, count === 0 ? null : (count as number), usage?.[field]))
  })
}

type Counts = Readonly<Record<string, unknown>>

/** The providers' names of token counts that a response also contains. */
export const RAW_COUNTS: readonly { readonly field: keyof Usage; readonly paths: readonly (readonly string[])[] }[] = [
  {
    field: 'cacheReadTokens',
    paths: [
      ['cache_read_input_tokens'],
      ['cacheReadInputTokens'],
      ['cachedContentTokenCount'],
      ['cached_tokens'],
      ['num_cached_tokens'],
      ['prompt_cache_hit_tokens'],
      ['prompt_tokens_details', 'cached_tokens'],
      ['input_tokens_details', 'cached_tokens'],
    ],
  },
  {
    field: 'cacheWriteTokens',
    paths: [['cache_creation_input_tokens'], ['cacheWriteInputTokens'], ['input_tokens_details', 'cache_write_tokens']],
  },
  {
    field: 'reasoningTokens',
    paths: [
      ['completion_tokens_details', 'reasoning_tokens'],
      ['output_tokens_details', 'reasoning_tokens'],
      ['output_tokens_details', 'thinking_tokens'],
      ['thoughtsTokenCount'],
    ],
  },
]

/** Compares one count. If null is expected, 0 is accepted too. */
function compareCount(key: string, wanted: number | null | undefined, found: number | undefined): readonly string[] {
  const isNotReported = wanted === null && !found
  return wanted === undefined || isNotReported ? [] : difference(`usage.${key}`, wanted, found ?? null)
}

/** Compares the class of an error instead of its message. The class is the code or the type, if that is a single word. */
function compareError(found: ProviderError | undefined, wanted: ExpectedReply['error']): readonly string[] {
  if (wanted === null) return difference('error', null, found ?? null)
  if (!found?.message) return ['error: expected one, found none']
  const classes = [wanted?.code, wanted?.type].map((part) => String(part ?? '')).filter((part) => /^\S+$/.test(part))
  const isOfClass = classes.length === 0 || classes.includes(found.code ?? '')
  return isOfClass ? [] : [`error: expected one of ${classes.join(' or ')}, found ${show(found.code)}`]
}
