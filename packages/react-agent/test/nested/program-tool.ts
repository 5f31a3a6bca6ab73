/** Test helpers: tools whose `execute` is a given program, and agents that call them. */
import { scriptedLM } from '@x/lm/testing'
import { defineTool, type Effect, type NestedCallError, type ToolContext } from '@x/tool-core'
import { Type } from 'typebox'
import { createReactAgent } from '../../src/react-agent.ts'
import { answer, call } from '../tools.ts'

// Shared by all tools, because each schema would be compiled once more.
const NONE = Type.Object({})
const NUMBERS = Type.Object({ a: Type.Number(), b: Type.Number() })

export type Body = (context: ToolContext) => unknown

export function programTool(body: Body, options: object = {}) {
  return defineTool({
    name: 'program',
    description: 'Runs a program.',
    args: NONE,
    nested: true,
    execute: (_, context) => body(context),
    ...options,
  })
}

/** Creates a tool that logs its args and its idempotency key. */
export function add(log: string[] = [], { effect = 'read' as Effect, needsApproval = false } = {}) {
  return defineTool({
    name: 'add',
    description: 'Adds.',
    args: NUMBERS,
    effect,
    needsApproval,
    execute: ({ a, b }, { idempotencyKey }) => {
      log.push(`${a}+${b} ${idempotencyKey}`)
      return { sum: a + b }
    },
  })
}

export const SCRIPT = [{ toolCalls: [call('program', {}, 'c1')] }, { text: 'Done.' }]

/**
 * Creates an agent whose model calls the program once. In another process that resumes the run, pass `isResumed`, so that the model starts
 * with its second reply.
 */
export async function openProgram(body: Body, tools: readonly object[] = [], rest: object = {}, options: object = {}) {
  const isResumed = 'isResumed' in rest
  const lm = scriptedLM((isResumed ? SCRIPT.slice(1) : SCRIPT) as never)
  const agent = await createReactAgent({ lm, tools: [programTool(body, options), ...tools] as never, signature: answer, ...rest })
  return { lm, agent }
}

export async function runProgram(...parts: Parameters<typeof openProgram>) {
  const { lm, agent } = await openProgram(...parts)
  return { lm, agent, result: agent.run({ question: '?' }, { id: 'r' }) }
}

export const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as NestedCallError,
  )
