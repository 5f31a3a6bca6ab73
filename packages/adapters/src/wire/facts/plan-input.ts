/** Removes from a request what the model doesn't accept: images and files, strict tools, the schema of a reply. */
import type { ContentPart } from '@x/tool-core'
import type { LMRequest, Message, ToolMessage, UserMessage } from '../../protocol/protocol.ts'
import { byMessage, type Lose } from '../convert-once.ts'
import { losePart } from '../losses.ts'
import type { InputKind, ModelFacts, ResolvedFacts } from './model-facts.ts'

/**
 * Returns the request with only what the model accepts, and reports each change as a loss. `own` contains the facts that the caller set.
 * Returns the same object if nothing changes.
 */
export function acceptedRequest(request: LMRequest, facts: ResolvedFacts, own: ModelFacts, lose: Lose): LMRequest {
  let accepted = request
  const { messages } = request
  const strictTools = usesStrictTools(request, facts)
  if (request.strictTools && !strictTools) {
    accepted = { ...accepted, strictTools }
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

/** True if tools are sent in strict mode. The decoder then converts the arguments of calls back from strict mode. */
export function usesStrictTools({ strictTools = false }: LMRequest, facts: ModelFacts): boolean {
  return strictTools && facts.strictTools !== false
}

export function offersTools({ tools, search }: LMRequest): boolean {
  return (tools !== undefined && tools.length > 0) || (search !== undefined && search.tools.length > 0)
}

/** Replaces each image and file that the model doesn't accept with text that names it, such as `[image/png]`. */
function acceptedMessages(messages: readonly Message[], input: readonly InputKind[], lose: Lose): readonly Message[] {
  let toAccepted = conversions.get(input)
  if (toAccepted === undefined) {
    toAccepted = byMessage((message: WithParts, report) => ({ message: inWords(message, input, report) }))
    conversions.set(input, toAccepted)
  }
  let changed: Message[] | undefined
  for (const [index, message] of messages.entries()) {
    if (!('parts' in message) || message.parts === undefined) continue
    const accepted = toAccepted(message, index, lose).message
    if (accepted === message) continue
    changed ??= [...messages]
    changed[index] = accepted
  }
  return changed ?? messages
}

type WithParts = UserMessage | ToolMessage
type ToAccepted = (message: WithParts, index: number, lose: Lose) => { readonly message: Message }

/** One conversion for each list of input kinds, because an unchanged message must be the same object in every request. */
const conversions = new WeakMap<readonly InputKind[], ToAccepted>()

function inWords(message: WithParts, input: readonly InputKind[], lose: Lose): Message {
  const parts: ContentPart[] = []
  let isChanged = false
  for (const [index, part] of (message.parts ?? []).entries()) {
    const kind = kindOf(part)
    if (kind === undefined || input.includes(kind as InputKind)) parts.push(part)
    else {
      isChanged = true
      parts.push({ type: 'text', text: losePart(part, index, lose, `this model rejects ${kind}`) })
    }
  }
  return isChanged ? { ...message, parts } : message
}

/** Returns the input kind of a part. Undefined for text and for other types of files, which some APIs convert to text for every model. */
function kindOf(part: ContentPart): string | undefined {
  if (part.type !== 'file') return part.type === 'image' ? 'image' : undefined
  return /^(?:audio|video)|pdf$/.exec(part.mediaType)?.[0]
}
