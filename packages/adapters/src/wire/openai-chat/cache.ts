/** Prompt caching on OpenAI's APIs: a key, and breakpoints for newer models. Chat Completions and Responses have the same fields for it. */
import { type AutomaticMarks, cacheKey, isContinued } from '../cache-marks.ts'
import type { WireRequest } from '../define-wire.ts'
import type { ResolvedFacts } from '../facts/model-facts.ts'

export interface OpenAICacheFields {
  readonly prompt_cache_key?: string
  readonly prompt_cache_options?: { readonly mode: 'explicit' }
}

/**
 * Encodes the cache key and the cache mode. In the default mode, the API places a breakpoint at the end of each prompt. In explicit mode,
 * it uses only the breakpoints of the request. Without breakpoints, nothing is then cached.
 */
export function encodeCache(wireRequest: Pick<WireRequest, 'request' | 'facts'>): OpenAICacheFields {
  const { cache } = wireRequest.request
  const key = cacheKey(wireRequest)
  const hasBreakpoints = breakpointsOf(wireRequest.facts) !== undefined
  return {
    ...(key !== undefined && { prompt_cache_key: key }),
    ...(hasBreakpoints && cache !== undefined && cache !== 'auto' && { prompt_cache_options: { mode: 'explicit' } }),
  }
}

/** Asks a router to mark the end of the prompt, for models whose prompts are cached only up to a mark. */
export function encodeMark({ request, facts }: Pick<WireRequest, 'request' | 'facts'>): {
  readonly cache_control?: { readonly type: 'ephemeral' }
} {
  if (request.cache !== 'auto' || facts.cache?.form !== 'marks' || !isContinued(request)) return {}
  return { cache_control: { type: 'ephemeral' } }
}

/**
 * Returns the positions of breakpoints, besides the one that the API places at the end. Undefined for models without breakpoints, such as
 * those of other providers on this API.
 */
export function breakpointsOf({ cache }: ResolvedFacts): AutomaticMarks | undefined {
  return cache?.form === 'key' && (cache.maxMarks ?? 0) > 0 ? ['system'] : undefined
}

/** Marks a part as a cache breakpoint: the prompt is cached up to the end of this part. */
export interface Breakpoint {
  readonly prompt_cache_breakpoint?: { readonly mode: 'explicit' }
}

/** Returns the content with a breakpoint after its last part. Text becomes a part, which `toPart` creates. */
export function withBreakpoint<Part extends object>(content: string | Part[], toPart: (text: string) => Part): Part[] {
  const parts = typeof content === 'string' ? [toPart(content)] : [...content]
  const last = parts.pop()
  if (last !== undefined) parts.push({ ...last, ...BREAKPOINT })
  return parts
}

const BREAKPOINT: Required<Breakpoint> = { prompt_cache_breakpoint: { mode: 'explicit' } }
