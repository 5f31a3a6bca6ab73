/** Simulates a provider's prompt cache, to measure how much of each request of a conversation it can read. */
import type { LMRequest, Message } from '../../src/index.ts'
import type { WireFormat } from '../../src/wire/wire-format.ts'

type Body = Readonly<Record<string, unknown>>

/** A part of a prompt. With `isMarked`, the prompt is cached up to its end. */
export interface PromptBlock {
  readonly text: string
  readonly isMarked: boolean
}

/** Returns the parts of a body in the order of the prompt: tools, system, messages. */
export function promptOf(body: Body): readonly PromptBlock[] {
  const { tools, toolConfig, system, systemInstruction, messages, input, contents } = body
  const all = [
    toolConfig === undefined ? tools : (toolConfig as Body).tools,
    system,
    systemInstruction,
    messages,
    input,
    contents,
  ]
  const blocks: PromptBlock[] = []
  for (const part of all.flatMap(partsOf)) {
    const last = blocks.at(-1)
    if (isRecord(part) && 'cachePoint' in part && last !== undefined) blocks[blocks.length - 1] = { ...last, isMarked: true }
    else
      blocks.push({
        text: JSON.stringify(part, withoutMarks) ?? '',
        isMarked: /"cache_control"|"prompt_cache_breakpoint"/.test(JSON.stringify(part)),
      })
  }
  return blocks
}

/** Splits lists, and messages into their blocks. */
function partsOf(part: unknown): readonly unknown[] {
  if (part === undefined) return []
  const items = Array.isArray(part) ? part : [part]
  return items.flatMap((item: unknown) => {
    if (!isRecord(item) || !Array.isArray(item.content)) return [item]
    return item.content.map((block: unknown) => (isRecord(block) && 'cachePoint' in block ? block : { role: item.role, block }))
  })
}

function withoutMarks(key: string, value: unknown): unknown {
  return key === 'cache_control' || key === 'prompt_cache_breakpoint' ? undefined : value
}

function isRecord(value: unknown): value is Body {
  return typeof value === 'object' && value !== null
}

/** Number of blocks before a mark in which Anthropic looks for an earlier mark. */
const LOOKBACK = 20

/** How a provider caches: up to marks, or any prefix of earlier requests. */
export type Caching = 'marks' | 'prefix'

export class PromptCache {
  readonly #caching: Caching
  readonly #written = new Set<string>()

  constructor(caching: Caching) {
    this.#caching = caching
  }

  /** Sends a request. Returns the number of its characters that are read from the cache, and of all. */
  send(blocks: readonly PromptBlock[]): { readonly read: number; readonly all: number } {
    const prefixes = blocks.map((_, index) =>
      blocks
        .slice(0, index + 1)
        .map(({ text }) => text)
        .join('\n'),
    )
    const marks = blocks.flatMap(({ isMarked }, index) => (isMarked || this.#caching === 'prefix' ? [index] : []))
    const read = marks.flatMap((mark) => {
      const found = prefixes.slice(Math.max(0, mark - LOOKBACK), mark + 1).findLast((prefix) => this.#written.has(prefix))
      return found?.length ?? 0
    })
    for (const mark of marks) this.#written.add(prefixes[mark] ?? '')
    return { read: Math.max(0, ...read), all: prefixes.at(-1)?.length ?? 0 }
  }
}

/** The requests of a conversation of 30 steps, in which each step calls between one and fifteen tools. */
export function conversation(wire: WireFormat, model: string, cache: LMRequest['cache']): readonly Body[] {
  const tools = Array.from({ length: 40 }, (_, index) => ({
    type: 'function' as const,
    function: {
      name: `look_up_${index}`,
      description: `Looks up entry ${index} of the catalogue and returns all that is known about it.`,
      parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    },
  }))
  const messages: Message[] = [
    { role: 'system', content: 'Answer with the help of the catalogue. '.repeat(20) },
    { role: 'user', content: 'Compare all entries with each other, and then with the last one.' },
  ]
  const bodies: Body[] = []
  for (let step = 0; step < 30; step++) {
    bodies.push(wire.encode({ messages: [...messages], tools, cache }, model) as Body)
    const calls = Array.from({ length: step % 10 === 9 ? 15 : (step % 3) + 1 }, (_, index) => `call_${step}_${index}`)
    messages.push({
      role: 'assistant',
      content: `Step ${step}.`,
      toolCalls: calls.map((id) => ({ id, name: 'look_up_3', arguments: JSON.stringify({ query: id }) })),
    })
    for (const callId of calls)
      messages.push({ role: 'tool', callId, name: 'look_up_3', content: `Found for ${callId}. `.repeat(12) })
  }
  return bodies
}

/** Returns the share of a conversation's characters that the cache can read, and the share if every prompt were read up to the previous end. */
export function sharesOf(bodies: readonly Body[], caching: Caching): { readonly read: number; readonly possible: number } {
  const cache = new PromptCache(caching)
  const sent = bodies.map((body) => cache.send(promptOf(body)))
  const all = sum(sent.map((one) => one.all))
  return { read: sum(sent.map((one) => one.read)) / all, possible: (all - (sent.at(-1)?.all ?? 0)) / all }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
