/** Chooses where a request marks its prompt for the provider's cache, and the key that routes similar requests to the same cache. */
import type { CachePoint, LMRequest, Message } from '../protocol/protocol.ts'
import { longHash } from '../shaping/names.ts'
import { byList, type Lose } from './convert-once.ts'
import type { ResolvedFacts } from './facts/model-facts.ts'
import { offersTools } from './facts/plan-input.ts'

export interface CacheMarks {
  /** True for a mark after the tools. */
  readonly tools: boolean
  /** True for a mark after the system prompt, which consists of the first messages. */
  readonly system: boolean
  /** Indices of the messages after which the prompt is marked. Includes the last message of the system prompt. */
  readonly messages: ReadonlySet<number>
}

/**
 * Positions of the cache marks for a growing conversation, most useful first: `turn` is after the last message that the model didn't
 * write, `system` after the system prompt, `tools` after the tools, and `previous` where the previous request was marked. `previous` is
 * for APIs that look for an earlier mark only within the last 20 blocks.
 */
export type AutomaticMarks = readonly ('tools' | 'system' | 'turn' | 'previous')[]

const NO_MARKS: CacheMarks = { tools: false, system: false, messages: new Set() }

interface Marked {
  readonly request: LMRequest
  readonly tools: readonly unknown[]
  readonly facts: ResolvedFacts
  readonly lose: Lose
}

/**
 * Returns the marks of a request, at most as many as the model accepts. `automatic` lists the positions to mark for the setting `auto`.
 * It is undefined for an API without marks. Cache points that can't be marked are reported as lost.
 */
export function cacheMarks({ request, tools, facts, lose }: Marked, automatic: AutomaticMarks | undefined): CacheMarks {
  const { cache, messages } = request
  if (cache === undefined || cache === 'off') return NO_MARKS
  const maxMarks = automatic === undefined ? 0 : (facts.cache?.maxMarks ?? 0)
  const places = placesOf(messages, tools.length > 0)
  if (cache === 'auto') {
    const isGrowing = isContinued(request)
    const marked: number[] = []
    for (const point of automatic ?? []) {
      const place = isGrowing || (point !== 'turn' && point !== 'previous') ? places[point] : undefined
      if (place !== undefined && marked.length < maxMarks) marked.push(place)
    }
    return toMarks(marked, places)
  }
  if (maxMarks === 0 && cache.length > 0) loseMarks('no marks are known for this model and API', lose)
  if (maxMarks === 0) return NO_MARKS
  const hasTools = automatic?.includes('tools') === true
  const wanted = new Set<number>()
  for (const point of cache) {
    const place = placeOf(point, { places, messages, hasTools, lose })
    if (place !== undefined) wanted.add(place)
  }
  const ordered = [...wanted].sort((a, b) => a - b)
  const lost = Math.max(0, ordered.length - maxMarks)
  if (lost > 0) loseMarks(`the model accepts ${maxMarks} marks, so the first ${lost} of ${ordered.length} are left out`, lose)
  return toMarks(ordered.slice(lost), places)
}

/**
 * True if a later request is likely to continue the conversation. That is rare for a single request without tools, and writing to the
 * cache costs more than other input.
 */
export function isContinued(request: LMRequest): boolean {
  return offersTools(request) || request.messages.some(({ role }) => role === 'assistant')
}

/** The position of the tools, before all messages. */
const TOOLS = -1

type Places = Readonly<Record<AutomaticMarks[number], number | undefined>>

function placesOf(messages: readonly Message[], hasTools: boolean): Places {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const system = (first === -1 ? messages.length : first) - 1
  const isOther = ({ role }: Message, index: number) => role !== 'assistant' && index > system
  const turn = messages.findLastIndex(isOther)
  const reply = messages.findLastIndex(({ role }, index) => role === 'assistant' && index < turn)
  const previous = messages.findLastIndex((message, index) => index < reply && isOther(message, index))
  const known = (index: number) => (index >= 0 ? index : undefined)
  return { tools: hasTools ? TOOLS : undefined, system: known(system), turn: known(turn), previous: known(previous) }
}

interface Asked {
  readonly places: Places
  readonly messages: readonly Message[]
  /** True if the API accepts a mark after the tools. */
  readonly hasTools: boolean
  readonly lose: Lose
}

function placeOf(point: CachePoint, { places, messages, hasTools, lose }: Asked): number | undefined {
  const index = typeof point === 'number' && messages[point] !== undefined ? Math.max(point, places.system ?? 0) : undefined
  const place = typeof point === 'number' ? index : places[point]
  const isPossible = point !== 'tools' || hasTools
  if (isPossible && place !== undefined) return place
  const where = typeof point === 'number' ? `message ${point}` : `"${point}"`
  loseMarks(isPossible ? `the request has no ${where} to mark` : `this API has no mark after ${where}`, lose)
  return undefined
}

function loseMarks(note: string, lose: Lose): void {
  lose({ path: '/cache', keyword: 'cache', action: 'dropped', note })
}

function toMarks(marked: readonly number[], { system }: Places): CacheMarks {
  return {
    tools: marked.includes(TOOLS),
    system: system !== undefined && marked.includes(system),
    messages: new Set(marked.filter((place) => place !== TOOLS)),
  }
}

/**
 * Returns the cache key of a conversation, for APIs that route requests with the same key to the same cache. The key is a hash of the
 * messages up to the first user message, which stay the same while the conversation grows.
 */
export function cacheKey({ request, facts }: Pick<Marked, 'request' | 'facts'>): string | undefined {
  const { cache, messages } = request
  if (cache === undefined || cache === 'off' || facts.cache?.form !== 'key') return undefined
  const first = messages.findIndex(({ role }) => role === 'user')
  const hashes = hashesOf(messages.slice(0, first + 1), () => {})
  return hashes.length === 0 ? undefined : longHash(hashes.join())
}

const hashesOf = byList(({ content }: Message) => longHash(content))
