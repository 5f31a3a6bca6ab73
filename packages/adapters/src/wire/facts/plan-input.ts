/** Removes from a request what the model doesn't accept: images and files, strict tools, the schema of a reply. */
import type { ContentPart } from '@x/tool-core'
import { once } from '../../once.ts'
import type { LMRequest, Message } from '../../protocol/protocol.ts'
import { byList, type Lose, replaced } from '../convert-once.ts'
import { losePart } from '../losses.ts'
import type { InputKind, ModelFacts, ResolvedFacts } from './model-facts.ts'

/**
 * Returns the request with only what the model accepts, and reports each change as a loss. `own` contains the facts that the caller set.
 * Returns the same object if nothing changes.
 */
export function acceptedRequest(request: LMRequest, facts: ResolvedFacts, own: ModelFacts, lose: Lose): LMRequest {
  let accepted = request
  const { messages } = request
  if (request.strictTools && facts.strictTools === false) {
    accepted = { ...accepted, strictTools: false }
    if (offersTools(request)) lose({ path: '/strictTools', keyword: 'strictTools', action: 'refused', note: REJECTED })
  }
  if (request.responseFormat?.schema !== undefined && facts.structuredOutput === false) {
    accepted = { ...accepted, responseFormat: { type: 'json' } }
    lose({ path: '/responseFormat/schema', keyword: 'schema', action: 'dropped', note: REJECTED })
  }
  // A model that is newer than the table may accept more than its assumed facts list, but not less. So only the caller's facts count.
  const input = facts.source === 'assumed' ? own.input : facts.input
  const taken = input === undefined ? messages : acceptedMessages(messages, input, lose)
  return taken === messages ? accepted : { ...accepted, messages: taken }
}

const REJECTED = 'this model rejects it'

export function offersTools({ tools, search }: LMRequest): boolean {
  return (tools !== undefined && tools.length > 0) || (search !== undefined && search.tools.length > 0)
}

/** Replaces each image and file that the model doesn't accept with text that names it, such as `[image/png]`. */
function acceptedMessages(messages: readonly Message[], input: readonly InputKind[], lose: Lose): readonly Message[] {
  return replaced(messages, toAccepted(input)(messages, lose))
}

/** One conversion for each list of input kinds, because an unchanged message must be the same object in every request. */
const toAccepted = once((input: readonly InputKind[]) => byList((message: Message, lose) => inWords(message, input, lose)))

/** Returns the message with text in place of some parts. Undefined if the model accepts them all. */
function inWords(message: Message, input: readonly InputKind[], lose: Lose): Message | undefined {
  if (!('parts' in message) || message.parts === undefined) return undefined
  let isChanged = false
  const parts = message.parts.map((part, index): ContentPart => {
    const kind = kindOf(part)
    if (kind === undefined || input.includes(kind as InputKind)) return part
    isChanged = true
    return { type: 'text', text: losePart(part, index, lose, `this model rejects ${kind}`) }
  })
  return isChanged ? { ...message, parts } : undefined
}

/** Returns the input kind of a part. Undefined for text and for other types of files, which some APIs convert to text for every model. */
function kindOf(part: ContentPart): string | undefined {
  if (part.type !== 'file') return part.type === 'image' ? 'image' : undefined
  return /^(?:audio|video)|pdf$/.exec(part.mediaType)?.[0]
}
