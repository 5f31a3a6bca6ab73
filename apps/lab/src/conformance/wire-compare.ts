/** Compares a response with the expected reading of a recorded reply. What it cannot check it reports as a difference. */
import type { LMResponse, ProviderError } from '@x/adapters'
import { difference, isSameJson, missing, show } from './compare.ts'
import type { ExpectedReply, ExpectedUsage } from './wire-case.ts'
import { compareCalls } from './wire-compare-calls.ts'

/** One line for each difference; none when the response is as expected. */
export function compareReply(response: LMResponse, expected: ExpectedReply): readonly string[] {
  return Object.entries(expected).flatMap(([key, wanted]) => {
    if (NOT_ASSERTED.includes(key)) return []
    if (!Object.hasOwn(CHECKS, key)) return [`cannot check ${show(key)}`]
    const check = CHECKS[key as keyof ExpectedReply] as (response: LMResponse, wanted: unknown) => readonly string[]
    return check(response, wanted)
  })
}

/** Words about the case, and the provider's own counts beside `usage`. */
const NOT_ASSERTED = ['note', 'usage_raw']

type Checks = { readonly [Key in keyof ExpectedReply]-?: (response: LMResponse, wanted: ExpectedReply[Key]) => readonly string[] }

const CHECKS: Checks = {
  text: ({ text }, wanted) => difference('text', wanted ?? '', text),
  tool_calls: ({ toolCalls }, wanted = []) => compareCalls(toolCalls, wanted),
  finish_reason: ({ rawFinish }, wanted) => difference('finish_reason', wanted, rawFinish ?? null),
  finish: ({ finish }, wanted) => difference('finish', wanted, finish ?? null),
  usage: ({ usage }, wanted) => [
    ...compareCount('input_tokens', (wanted ?? NOT_REPORTED).input_tokens, usage?.inputTokens),
    ...compareCount('output_tokens', (wanted ?? NOT_REPORTED).output_tokens, usage?.outputTokens),
  ],
  reasoning: ({ reasoning }, wanted) => difference('reasoning', wanted ?? '', reasoning ?? ''),
  refusal: ({ refusal }, wanted) => difference('refusal', wanted ?? '', refusal ?? ''),
  error: ({ error }, wanted) => compareError(error, wanted),
  // It is the model's thinking, or part of what goes back to the provider.
  tool_plan: ({ reasoning, metadata }, wanted) => missing('tool_plan', { reasoning, metadata }, wanted),
  finish_message: ({ metadata }, wanted) => missing('finish_message', metadata, wanted),
  other_calls: ({ providerCalls = [] }, wanted) =>
    (wanted ?? []).flatMap((call, index) => {
      const parts = Object.entries(call).filter(([key, part]) => CALL_KEYS.includes(key) && part !== null)
      const isThere = providerCalls.some((found) => parts.every(([key, part]) => isSameJson(found[key as 'type'], part)))
      return isThere ? [] : [`other_calls[${index}]: found ${show(Object.fromEntries(parts))} nowhere`]
    }),
}
const CALL_KEYS = ['type', 'id', 'name', 'by']
const NOT_REPORTED: ExpectedUsage = { input_tokens: null, output_tokens: null }

/** 0 is accepted where nothing was reported. */
function compareCount(key: string, wanted: number | null | undefined, found: number | undefined): readonly string[] {
  const isNotReported = wanted === null && !found
  return wanted === undefined || isNotReported ? [] : difference(`usage.${key}`, wanted, found ?? null)
}

/** The class of the error, not its words: its code or type, as far as that is a word and no sentence. */
function compareError(found: ProviderError | undefined, wanted: ExpectedReply['error']): readonly string[] {
  if (wanted === null) return difference('error', null, found ?? null)
  if (!found?.message) return ['error: expected one, found none']
  const classes = [wanted?.code, wanted?.type].map((part) => String(part ?? '')).filter((part) => /^\S+$/.test(part))
  const isOfClass = classes.length === 0 || classes.includes(found.code ?? '')
  return isOfClass ? [] : [`error: expected one of ${classes.join(' or ')}, found ${show(found.code)}`]
}
