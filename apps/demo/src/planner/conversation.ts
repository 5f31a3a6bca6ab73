/** Extracts the task and the calls so far from the messages of a request. */
import type { LMRequest } from '@x/adapters'
import { LONGEST_TEXT } from './words/token.ts'

/** A call in the conversation, with its result. */
export interface PastCall {
  readonly name: string
  readonly arguments: string
  /** Undefined if the call has no result. */
  readonly result?: string | undefined
  readonly isError: boolean
}

export interface Conversation {
  readonly task: string
  /** The further inputs of the task, by name. */
  readonly inputs: ReadonlyMap<string, string>
  /** The calls before the task (`earlier`), and since then (`past`). */
  readonly earlier: readonly PastCall[]
  readonly past: readonly PastCall[]
  /** The number of this turn, counted over the whole conversation. */
  readonly turn: number
}

/** Finds the task, its inputs and the calls, in messages of any form. */
export function readConversation(messages: LMRequest['messages']): Conversation {
  const list = Array.isArray(messages)
    ? (messages as LMRequest['messages']).filter((message) => typeof message === 'object' && message !== null)
    : []
  const place = list.findLastIndex((message) => message.role === 'user' && !isToolResult(textOf(message.content)))
  const { task, inputs } = readInputs(place < 0 ? '' : textOf(list[place]?.content))
  return {
    task,
    inputs,
    earlier: readCalls(list.slice(0, Math.max(place, 0))),
    past: readCalls(list.slice(place + 1)),
    turn: list.filter(({ role }) => role === 'assistant').length + 1,
  }
}

const HEADER = /^\[\[ (?:## )?([^\]\n]{1,80}?)(?: ##)? \]\][ \t]*$/
const RESULT_OPENING = /^\s*(?:<\/?tool_|<function_r|\[\[ (?:## )?(?:observation|tool_)|\[TOOL_RESULTS)/i

function isToolResult(text: string): boolean {
  return RESULT_OPENING.test(text.slice(0, 200))
}

/** Splits a task into its inputs. An adapter writes several inputs under `[[ name ]]` lines. The first input with text is the task. */
function readInputs(text: string): { task: string; inputs: ReadonlyMap<string, string> } {
  const inputs = new Map<string, string>()
  let name = ''
  for (const line of text.slice(0, LONGEST_TEXT * 2).split('\n')) {
    const header = HEADER.exec(line)?.[1]
    if (header !== undefined) name = header
    else inputs.set(name, inputs.has(name) ? `${inputs.get(name)}\n${line}` : line)
  }
  const filled = [...inputs].map(([key, value]) => [key, value.trim()] as const).filter(([, value]) => value !== '')
  return { task: unquoted(filled[0]?.[1] ?? ''), inputs: new Map(filled.slice(1)) }
}

/** Removes the quotation marks of a task that is a single quotation. */
function unquoted(task: string): string {
  const inner = /^["“](.*)["”]$/s.exec(task)?.[1]
  return inner === undefined || /["“”]/.test(inner) ? task : inner
}

function readCalls(messages: LMRequest['messages']): PastCall[] {
  const calls = new Map<string, PastCall>()
  let turn = 0
  for (const message of messages) {
    if (message.role === 'assistant') {
      turn++
      for (const call of Array.isArray(message.toolCalls) ? message.toolCalls : []) {
        if (typeof call?.name === 'string')
          calls.set(`${turn}:${call.id}`, { name: call.name, arguments: textOf(call.arguments), isError: false })
      }
    } else if (message.role === 'tool') {
      const key = `${turn}:${message.callId}`
      const call = calls.get(key) ?? { name: textOf(message.name), arguments: '', isError: false }
      calls.set(key, { ...call, result: textOf(message.content), isError: message.isError === true })
    }
  }
  return [...calls.values()]
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return content === undefined || content === null ? '' : (safeJson(content) ?? '')
}

function safeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
