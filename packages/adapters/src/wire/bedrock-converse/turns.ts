/** Adapts turns to the requirements of Converse and of the model families. */
import type { Lose } from '../convert-once.ts'
import type { Turn } from '../user-turns.ts'
import type { BedrockBlock, BedrockTurn, DocumentBlock, PartBlock, ToolResultBlock } from './body.ts'
import type { ModelFamily } from './families.ts'

type Turns = readonly Turn<BedrockBlock>[]

/**
 * Moves results to a separate turn, for models that reject other content next to results. Inserts a minimal assistant turn after the
 * results, because two user turns can't be adjacent.
 */
export function separateResults(turns: Turns, { apart }: ModelFamily, lose: Lose): Turns {
  if (apart === 'nothing') return turns
  return turns.flatMap((turn): Turns => {
    const results = turn.blocks.filter((block) => 'toolResult' in block)
    const others = turn.blocks.filter((block) => !('toolResult' in block))
    const isMixed = apart === 'everything' ? others.length > 0 : others.some((block) => 'document' in block || 'video' in block)
    if (turn.role === 'assistant' || results.length === 0 || !isMixed) return [turn]
    lose({
      path: '/messages',
      keyword: 'role',
      action: 'widened',
      note: 'an assistant message "." is sent between the results and the user message',
    })
    return [
      { role: 'user', blocks: results },
      { role: 'assistant', blocks: [{ text: '.' }] },
      { role: 'user', blocks: others },
    ]
  })
}

/** Makes the names of a request's documents unique. */
export function distinctDocuments(turns: Turns): BedrockTurn[] {
  const counts = new Map<string, number>()
  const distinct = <Block extends BedrockBlock>(block: Block): Block | DocumentBlock => {
    if (!('document' in block)) return block
    const { document } = block
    const key = document.name.toLowerCase()
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count === 1 ? block : distinct({ document: { ...document, name: `${document.name} ${count}` } })
  }
  const inResult = (block: ToolResultBlock): ToolResultBlock => {
    const { content } = block.toolResult
    if (!content.some((part) => 'document' in part)) return block
    return { toolResult: { ...block.toolResult, content: content.map((part): PartBlock => distinct(part)) } }
  }
  return turns.map(({ role, blocks }) => ({
    role,
    content:
      role === 'assistant' ? [...blocks] : blocks.map((block) => ('toolResult' in block ? inResult(block) : distinct(block))),
  }))
}
