/** Encodes messages as Converse blocks for one model family. */
import type { Message, ToolMessage } from '../../protocol/protocol.ts'
import { byMessage, type Lose } from '../convert-once.ts'
import { loseErrorFlag } from '../losses.ts'
import { objectAt, stringAt } from '../read-json.ts'
import { type SignedForms, signedBlocks } from '../signed-blocks.ts'
import { loseBlank, mergeTurns, trimLast } from '../user-turns.ts'
import { toSafeId } from '../wire-ids.ts'
import type { BedrockBlock, BedrockTurn, CachePointBlock, TextBlock, ToolResultBlock, ToolUseBlock } from './body.ts'
import { FAMILIES, type ModelFamily } from './families.ts'
import { isReasoning, NAME, textOf } from './kept-blocks.ts'
import { partBlocks, withText } from './parts.ts'
import { distinctDocuments, separateResults } from './turns.ts'

interface Conversation {
  readonly system: readonly string[]
  readonly messages: BedrockTurn[]
}

/** Encodes messages. `marked` contains the index of each message after which a cache point is inserted. */
export function encodeMessages(
  messages: readonly Message[],
  family: ModelFamily,
  marked: ReadonlySet<number>,
  lose: Lose,
): Conversation {
  const toBlocks = CONVERSIONS.get(family) as ReturnType<typeof conversionFor>
  const convert = (message: Message, index: number) => {
    const blocks = toBlocks(message, index, lose)
    return marked.has(index) && blocks.length > 0 ? [...blocks, CACHE_POINT] : blocks
  }
  const { system, turns } = mergeTurns(messages, convert, lose)
  const separate = separateResults(turns, family, lose)
  return { system, messages: distinctDocuments(trimLast(separate, messages.length - 1, lose)) }
}

export const CACHE_POINT: CachePointBlock = { cachePoint: { type: 'default' } }

function conversionFor(family: ModelFamily) {
  return byMessage((message: Message, lose): readonly BedrockBlock[] => {
    loseBlank(message, lose)
    if (message.role === 'tool') return [encodeResult(message, family, lose)]
    if (message.role !== 'assistant')
      return withText(
        partBlocks(message, () => true, lose),
        message,
      )
    // The cast is safe: blocks that this package doesn't write come from the API itself.
    return signedBlocks(message, FORMS, lose) as unknown as readonly BedrockBlock[]
  })
}

/** One conversion per family, because each family has a separate cache of converted messages. */
const CONVERSIONS = new Map(FAMILIES.map((family) => [family, conversionFor(family)]))

const FORMS: SignedForms = {
  name: NAME,
  isReasoning,
  textOf,
  callIdOf(block) {
    const call = objectAt(block, 'toolUse')
    return call === undefined || call.type !== undefined ? undefined : toSafeId(stringAt(call, 'toolUseId') ?? '')
  },
  toText: (text) => ({ text }) satisfies TextBlock,
  toCall: ({ id, name }, input, kept) => ({
    toolUse: { ...objectAt(kept, 'toolUse'), ...({ toolUseId: id, name, input } satisfies ToolUseBlock['toolUse']) },
  }),
}

/** Encodes a result. A result without content becomes an empty list, which the API accepts. */
function encodeResult(message: ToolMessage, family: ModelFamily, lose: Lose): ToolResultBlock {
  const isError = message.isError === true && family.resultStatus
  if (!isError) loseErrorFlag(message, lose)
  // For the result of a failed call, Claude accepts only text.
  const content = partBlocks(message, (type) => !isError && (type === 'file' || family.imagesInResults), lose)
  return { toolResult: { toolUseId: message.callId, content, ...(isError && { status: 'error' }) } }
}
