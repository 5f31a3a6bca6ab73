/** Removes what a model doesn't take from a request: images and files, strict tools, the schema of a reply. */
import type { ContentPart } from '@x/tool-core'
import { toContent } from '../../protocol/content.ts'
import type { LMRequest, Message } from '../../protocol/protocol.ts'
import { isUnchanged, type Lose, type MessageSnapshot, snapshotOf } from '../convert-once.ts'
import type { InputKind, ModelFacts, ResolvedFacts } from './model-facts.ts'

/**
 * Returns the request as the model takes it, and reports each change as a loss. `own` are the facts that the caller gave. Returns the same
 * object if nothing changes.
 */
export function acceptedRequest(request: LMRequest, facts: ResolvedFacts, own: ModelFacts, lose: Lose): LMRequest {
  let accepted = request
  const { strictTools, responseFormat, messages } = request
  if (strictTools === true && facts.strictTools === false) {
    accepted = { ...accepted, strictTools: false }
    if (hasTools(request)) lose({ path: '/strictTools', keyword: 'strictTools', action: 'refused', note: NO_STRICT })
  }
  if (responseFormat?.schema !== undefined && facts.structuredOutput === false) {
    accepted = { ...accepted, responseFormat: { type: 'json' } }
    lose({ path: '/responseFormat/schema', keyword: 'schema', action: 'dropped', note: NO_SCHEMA })
  }
  // A model that is newer than the table may take more than the assumed one, but not less.
  const input = facts.source === 'assumed' ? own.input : facts.input
  const taken = input === undefined ? messages : acceptedMessages(messages, input, lose)
  return taken === messages ? accepted : { ...accepted, messages: taken }
}

const NO_STRICT = 'this model has no strict tools'
const NO_SCHEMA = 'this model only accepts a request for any JSON object, so the schema is not enforced'

function hasTools({ tools, search }: LMRequest): boolean {
  return (tools !== undefined && tools.length > 0) || (search !== undefined && search.tools.length > 0)
}

/** Replaces each image and file that the model doesn't take with text that names it, such as `[image/png]`. */
function acceptedMessages(messages: readonly Message[], input: readonly InputKind[], lose: Lose): readonly Message[] {
  let changed: Message[] | undefined
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system' || message.role === 'assistant' || message.parts === undefined) continue
    const { parts } = message
    let isChanged = false
    for (const [place, part] of parts.entries()) {
      const kind = kindOf(part)
      if (kind === undefined || input.includes(kind)) continue
      isChanged = true
      const path = `/messages/${index}/parts/${place}`
      lose({ path, keyword: part.type, action: 'dropped', note: `this model takes no ${NAMES[kind]}, so text names it` })
    }
    if (!isChanged) continue
    changed ??= [...messages]
    changed[index] = inWords(message, input)
  }
  return changed ?? messages
}

const NAMES: Readonly<Record<InputKind, string>> = { image: 'image', pdf: 'PDF', audio: 'audio', video: 'video' }

/** Undefined for text, and for other files. Some APIs convert those to text for every model. */
function kindOf(part: ContentPart): InputKind | undefined {
  if (part.type === 'text') return undefined
  if (part.type === 'image') return 'image'
  const { mediaType } = part
  if (mediaType === 'application/pdf') return 'pdf'
  if (mediaType.startsWith('audio/')) return 'audio'
  return mediaType.startsWith('video/') ? 'video' : undefined
}

interface Words {
  readonly input: readonly InputKind[]
  readonly snapshot: MessageSnapshot
  readonly message: Message
}

/** The changed messages, because a message that hasn't changed must be the same object in every request. */
const known = new WeakMap<Message, Words>()

function inWords(message: Message & { readonly parts?: unknown }, input: readonly InputKind[]): Message {
  const last = known.get(message)
  if (last !== undefined && last.input === input && isUnchanged(message, last.snapshot)) return last.message
  const parts: ContentPart[] = []
  for (const part of message.parts as readonly ContentPart[]) {
    const kind = kindOf(part)
    const isTaken = kind === undefined || input.includes(kind)
    parts.push(isTaken ? part : { type: 'text', text: toContent([part]).content })
  }
  const changed = { ...message, parts } as Message
  known.set(message, { input, snapshot: snapshotOf(message), message: changed })
  return changed
}
