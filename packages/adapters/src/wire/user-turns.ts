/** Messages as the turns of APIs that know two speakers, where results of tools are part of what the user says. */
import type { Message } from '../protocol/protocol.ts'
import type { Lose } from './convert-once.ts'
import { stringAt } from './read-json.ts'

export interface Turn<Block> {
  readonly role: 'user' | 'assistant'
  readonly blocks: readonly Block[]
}

export interface Turns<Block> {
  /** What the system says before anybody else. */
  readonly system: readonly string[]
  /** Two that follow each other have different roles. */
  readonly turns: readonly Turn<Block>[]
}

/**
 * Messages of one role become one turn, in which results come first; a message without blocks is left out. A message of the
 * system behind others keeps its place, where a prompt cache needs it, and goes out as text of the user, which is a loss.
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

/** Text that some APIs refuse to take: nothing, or white space alone. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** Reports what a message without such text loses. */
export function loseBlank({ content }: Message, lose: Lose): void {
  if (content === '' || !isBlank(content)) return
  lose({ path: '/content', keyword: 'content', action: 'dropped', note: 'white space alone, which this API refuses' })
}

/** Without white space at the end of a last turn of the assistant, which the model goes on from, and Claude refuses. */
export function trimLast<Block extends object>(turns: readonly Turn<Block>[], index: number, lose: Lose): readonly Turn<Block>[] {
  const last = turns.at(-1)
  const block = last?.blocks.at(-1)
  const whole = stringAt(block, 'text')
  const text = whole?.trimEnd()
  if (last?.role !== 'assistant' || block === undefined || text === whole) return turns
  lose({ path: `/messages/${index}/content`, keyword: 'content', action: 'dropped', note: 'white space at the end' })
  return [...turns.slice(0, -1), { role: last.role, blocks: [...last.blocks.slice(0, -1), { ...block, text }] }]
}

const EMPTY = 'an empty message, which this API refuses'
const AS_USER = 'not at the start: it goes out as text of the user, in its place'

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
