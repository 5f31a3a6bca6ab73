/** Groups messages into turns, for APIs with two roles, in which tool results are part of the user's turn. */
import type { Message } from '../protocol/protocol.ts'
import type { Lose } from './convert-once.ts'
import { stringAt } from './read-json.ts'

export interface Turn<Block> {
  readonly role: 'user' | 'assistant'
  readonly blocks: readonly Block[]
}

export interface Turns<Block> {
  /** The text of each system message before all other messages. */
  readonly system: readonly string[]
  /** Turns with alternating roles. */
  readonly turns: readonly Turn<Block>[]
}

/**
 * Merges consecutive messages with the same role into one turn, results first. Omits a message without blocks. A later system message is
 * sent as user text and reported as lost. It keeps its position, so that the prompt cache stays valid.
 */
export function mergeTurns<Block>(
  messages: readonly Message[],
  toBlocks: (message: Message, index: number) => readonly Block[],
  lose: Lose,
): Turns<Block> {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const start = first === -1 ? messages.length : first
  const system = messages.slice(0, start).map(({ content }) => content)
  const turns: OpenTurn<Block>[] = []
  for (let index = start; index < messages.length; index++) {
    const message = messages[index] as Message
    if (message.role === 'system') lose({ path: `/messages/${index}/role`, keyword: 'system', action: 'dropped', note: AS_USER })
    const blocks = toBlocks(message, index)
    if (blocks.length === 0) {
      if (message.content === '') lose({ path: `/messages/${index}`, keyword: 'content', action: 'dropped', note: EMPTY })
      continue
    }
    const list = openTurn(turns, message)[message.role === 'tool' ? 'results' : 'rest']
    for (const block of blocks) list.push(block)
  }
  return {
    system: system.filter((text) => !isBlank(text)),
    turns: turns.map(({ role, results, rest }) => ({ role, blocks: [...results, ...rest] })),
  }
}

/** True for text that is empty or only white space, which some APIs reject. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** Reports content that is only white space as lost. */
export function loseBlank({ content }: Message, lose: Lose): void {
  if (content === '' || !isBlank(content)) return
  lose({ path: '/content', keyword: 'content', action: 'dropped', note: 'only white space, which this API rejects' })
}

/** Removes trailing white space from a final assistant turn, which the model continues. Claude rejects such white space. */
export function trimLast<Block extends object>(turns: readonly Turn<Block>[], index: number, lose: Lose): readonly Turn<Block>[] {
  const last = turns.at(-1)
  const block = last?.blocks.at(-1)
  const whole = stringAt(block, 'text')
  const text = whole?.trimEnd()
  if (last?.role !== 'assistant' || block === undefined || text === whole) return turns
  lose({ path: `/messages/${index}/content`, keyword: 'content', action: 'dropped', note: 'trailing white space' })
  return [...turns.slice(0, -1), { role: last.role, blocks: [...last.blocks.slice(0, -1), { ...block, text }] }]
}

/** The note of the loss of a message without content. */
export const EMPTY = 'an empty message, which this API rejects'
const AS_USER = 'system message after the first turn: sent as user text at the same position'

interface OpenTurn<Block> {
  readonly role: Turn<Block>['role']
  readonly results: Block[]
  readonly rest: Block[]
}

function openTurn<Block>(turns: OpenTurn<Block>[], message: Message): OpenTurn<Block> {
  const role = message.role === 'assistant' ? 'assistant' : 'user'
  const last = turns.at(-1)
  if (last?.role === role) return last
  const turn: OpenTurn<Block> = { role, results: [], rest: [] }
  turns.push(turn)
  return turn
}
