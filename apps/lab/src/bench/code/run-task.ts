/**
 * Runs a task with a scripted model, which either calls the tools itself or writes a program. Counts the calls, requests and tokens of
 * the run.
 */
import { defineSignature, type LM } from '@x/adapters'
import { codeTool } from '@x/code'
import { createReactAgent } from '@x/react-agent'
import { createRegistry } from '@x/registry'
import { DOMAINS } from 'demo/domains'
import { createDemoTools } from 'demo/tools'
import { Type } from 'typebox'
import type { Task, Turn } from './tasks.ts'

export type Way = 'direct' | 'code'

export interface TaskRun {
  readonly answer: string
  /** The finished calls to tools that don't only read. */
  readonly effects: readonly Effect[]
  /** Number of calls to the tools of the domains. */
  readonly calls: number
  readonly requests: number
  /** Tokens of all requests and of all replies. */
  readonly sent: number
  readonly written: number
  readonly ms: number
}

export interface Effect {
  readonly name: string
  readonly args: unknown
  readonly output: unknown
}

/** A rule of thumb for English text. Providers count tokens differently. */
const CHARACTERS_PER_TOKEN = 4
/** A call that reads from each domain with tables. It opens the database before the run starts. */
const OPENERS: Readonly<Record<string, string>> = { finance: 'list_accounts', ecommerce: 'view_cart' }

export async function runTask(task: Task, way: Way): Promise<TaskRun> {
  const entriesOfDomains = DOMAINS.filter(({ name }) => task.domains.includes(name))
  const domains = await Promise.all(entriesOfDomains.map(async ({ load }) => (await load()).default))
  const { entries, open, close } = createDemoTools({ domains, place: { kind: 'sqlite', file: ':memory:' } })
  try {
    await open()
    const registry = createRegistry(entries)
    const context = { user_id: 'demo' }
    for (const name of task.domains.flatMap((domain) => OPENERS[domain] ?? []))
      await registry.execute({ id: 'o', name, args: {} }, { values: context })
    // Lazy tools have no schema until they are resolved.
    await registry.resolve(...registry.names)
    const effectOf = new Map(registry.cards().map(({ name, effect }) => [name, effect]))
    const { lm, usage } = counted(way === 'direct' ? caller(task) : writer(task))
    const agent = await createReactAgent({
      lm,
      tools: way === 'direct' ? registry : [codeTool(registry, { limits: { timeMs: 600_000 } })],
      signature: defineSignature({
        instructions: domains.map(({ instructions }) => instructions).join('\n'),
        inputs: { request: Type.String() },
        outputs: { answer: Type.String() },
      }),
    })
    const started = performance.now()
    const run = agent.run({ request: task.request }, { context, approve: () => true })
    const effects: Effect[] = []
    let calls = 0
    for await (const event of run.stream()) {
      if (event.type !== 'call_finished' || !effectOf.has(event.name)) continue
      if (!event.ok) throw new Error(`${event.name} failed: ${event.error.message}`)
      calls++
      if (effectOf.get(event.name) !== 'read')
        effects.push({ name: event.name, args: event.args, output: withoutTimes(event.output) })
    }
    const { outputs } = await run
    return { answer: outputs.answer, effects, calls, ...usage, ms: performance.now() - started }
  } finally {
    await close()
  }
}

/** Creates a model that makes the calls of the task turn by turn, and answers with its findings. */
function caller(task: Task): LM {
  const turns = task.direct() as Generator<Turn, unknown, unknown>
  let made = 0
  return {
    async generate({ messages }) {
      const results = messages.slice(messages.length - made).map(({ content }) => toValue(String(content)))
      const { done, value } = turns.next(results)
      if (done === true) return { text: JSON.stringify(value), toolCalls: [] }
      const calls = value as Turn
      made = calls.length
      return {
        text: '',
        toolCalls: calls.map(([name, args = {}], index) => ({ id: `c${index}`, name, arguments: JSON.stringify(args) })),
      }
    },
  }
}

/** Reads an output from the text shown to the model: JSON, or else the text itself. */
function toValue(shown: string): unknown {
  return /^[[{]/.test(shown) ? JSON.parse(shown) : shown
}

/** Creates a model that writes the program of the task, and answers with its result. */
function writer({ program }: Task): LM {
  return {
    async generate({ messages }) {
      const last = messages.at(-1)
      if (last?.role === 'tool') return { text: JSON.stringify(JSON.parse(String(last.content)).result), toolCalls: [] }
      return { text: '', toolCalls: [{ id: 'c1', name: 'run_code', arguments: JSON.stringify({ code: program }) }] }
    },
  }
}

function counted(lm: LM) {
  const usage = { requests: 0, sent: 0, written: 0 }
  const counting: LM = {
    async generate(request, options) {
      const response = await lm.generate(request, options)
      const { messages, tools } = request
      const { text, toolCalls } = response
      usage.requests++
      usage.sent += tokensOf({ messages, tools })
      usage.written += tokensOf({ text, toolCalls })
      return response
    },
  }
  return { lm: counting, usage }
}

function tokensOf(value: object): number {
  return Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN)
}

/** Removes the times of bookings, which differ between two runs. */
function withoutTimes(output: unknown): unknown {
  return JSON.parse(JSON.stringify(output).replace(/"\w+(At|_at)":("[^"]*"|\d+)/g, '"at":0'))
}
