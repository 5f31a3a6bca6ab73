/** Runs a planner on a task, with small tools that a test defines. */
import type { LMRequest, Message } from '@x/adapters'
import { plannerLM } from '../src/planner/planner-lm.ts'

type ToolSpec = NonNullable<LMRequest['tools']>[number]
type Results = Readonly<Record<string, (args: never) => unknown>>

/** Creates a tool spec with an object schema. */
export function tool(name: string, description: string, schema: Readonly<Record<string, unknown>> = {}): ToolSpec {
  return { type: 'function', function: { name, description, parameters: { type: 'object', ...schema } } }
}

export interface TaskRun {
  readonly calls: readonly (readonly [string, unknown])[]
  /** The names of the calls in each turn. */
  readonly turns: readonly (readonly string[])[]
  readonly answer: string
}

/** Runs the task until a turn has no calls, or calls the tool named `last`. */
export async function runTask(task: string, tools: readonly ToolSpec[], results: Results, last?: string): Promise<TaskRun> {
  const messages: Message[] = [{ role: 'user', content: task }]
  const calls: (readonly [string, unknown])[] = []
  const turns: string[][] = []
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const { text, toolCalls } = await plannerLM().generate({ messages, tools })
    if (toolCalls.length === 0) return { calls, turns, answer: text }
    messages.push({ role: 'assistant', content: text, toolCalls })
    turns.push(toolCalls.map(({ name }) => name))
    for (const { id, name, arguments: written } of toolCalls) {
      const args = JSON.parse(written) as never
      calls.push([name, args])
      messages.push({ role: 'tool', callId: id, name, ...(await outcome(results, name, args)) })
    }
    if (toolCalls.some(({ name }) => name === last)) return { calls, turns, answer: text }
  }
  throw new Error(`The task "${task}" took more than ${MOST_TURNS} turns: ${turns.join(' / ')}`)
}

const MOST_TURNS = 10

async function outcome(results: Results, name: string, args: never): Promise<{ content: string; isError?: boolean }> {
  try {
    const output = await results[name]?.(args)
    return { content: typeof output === 'string' ? output : (JSON.stringify(output) ?? 'null') }
  } catch (error) {
    return { content: (error as Error).message, isError: true }
  }
}
