/** Compares the prompts of a run in the order in which a provider reads them: tools, system prompt, messages. */
import type { LMRequest } from '@x/adapters'
import type { WireFormat } from '@x/adapters/wire'
import { asRead } from './provider-search.ts'

export interface KeptPrefix {
  /** Number of characters in all prompts. */
  readonly sent: number
  /** Number of characters at the start of each prompt that equal the previous prompt. A provider's cache can keep them. */
  readonly kept: number
  /** `kept` divided by the number of characters that would be kept if nothing but the dropped turns had changed. */
  readonly share: number
}

interface Prompt {
  readonly head: string
  readonly tail: string
  /** Number of messages. */
  readonly count: number
}

/** Encodes the requests for one API and compares each prompt with the previous one. */
export function measurePrefix(requests: readonly LMRequest[], wire: WireFormat, model: string): KeptPrefix {
  let before: Prompt | undefined
  let sent = 0
  let kept = 0
  let keepable = 0
  for (const request of requests) {
    const prompt = toPrompt(asRead(wire.encode(request, model) as Readonly<Record<string, unknown>>), request)
    sent += prompt.head.length + prompt.tail.length
    if (before !== undefined) {
      kept += commonLength(before.head + before.tail, prompt.head + prompt.tail)
      // If turns were left out, the rest of the conversation can't be kept.
      const isShorter = prompt.count < before.count
      keepable += before.head.length + (isShorter ? commonLength(before.tail, prompt.tail) : before.tail.length)
    }
    before = prompt
  }
  return { sent, kept, share: kept / keepable }
}

const HEAD = ['tools', 'toolConfig', 'system', 'systemInstruction', 'instructions']
const MESSAGES = ['messages', 'contents', 'input']

function toPrompt(body: Readonly<Record<string, unknown>>, { messages }: LMRequest): Prompt {
  const list = MESSAGES.flatMap((key) => (Array.isArray(body[key]) ? body[key] : []))
  if (list.length === 0) throw new Error('The body contains its messages in no known field.')
  const head = HEAD.map((key) => JSON.stringify(body[key]) ?? '').join('\n')
  return { head, tail: list.map((message) => `\n${JSON.stringify(message)}`).join(''), count: messages.length }
}

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
