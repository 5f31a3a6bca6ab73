/** Tools and an agent for random programs, in processes that can die at any record. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { defineSignature, type LM } from '@x/adapters'
import { type Approve, agentTool, createReactAgent, type Decision, type PendingCall } from '@x/react-agent'
import { NotDecided, type Steps } from '@x/react-agent/steps'
import { defineTool, type Tool } from '@x/tool-core'
import * as Type from 'typebox'
import { type Node, runProgram } from './programs.ts'

export const signature = defineSignature({
  instructions: 'Do it.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})

// Each process defines its own tools. Their schemas are shared, because each would be compiled once more for each of thousands of processes.
const VALUE = Type.Object({ value: Type.Integer() })
const FLAKY = Type.Object({ value: Type.Integer(), attempt: Type.Integer(), failures: Type.Integer() })
const PROGRAM = Type.Object({ program: Type.String() })

export interface Effect {
  readonly tool: string
  readonly value: number
  readonly key: string
}

/** The data that outlives all processes. */
export class Ledger {
  readonly effects: Effect[] = []
}

/** A simulated process. When it dies, everything that runs in it stops and never continues. */
export class Process {
  isDead = false
  #die: () => void = () => {}
  readonly died = new Promise<'died'>((resolve) => {
    this.#die = () => resolve('died')
  })

  die(): void {
    this.isDead = true
    this.#die()
  }

  /** Resolves while the process is alive. Never resolves in a dead process. */
  async live(): Promise<void> {
    if (this.isDead) await new Promise<never>(() => {})
  }
}

export interface WorldOptions {
  readonly program: Node
  readonly ledger: Ledger
  readonly process: Process
  readonly random: () => number
}

/** Creates an agent whose model calls the program once. */
export async function openAgent({ program, ledger, process, random }: WorldOptions) {
  const pause = async () => {
    const kind = random()
    if (kind < 0.3) await turn()
    else if (kind < 0.5) await sleep(random() * 3)
    else if (kind < 0.6) for (let turns = 0; turns < 4; turns++) await turn()
    await process.live()
  }
  const define = (name: string, effect: Tool['effect'], { needsApproval = false } = {}) =>
    defineTool({
      name,
      description: name,
      args: VALUE,
      effect,
      needsApproval,
      execute: async ({ value }, { idempotencyKey: key }) => {
        await pause()
        ledger.effects.push({ tool: name, value, key })
        await pause()
        return { [name]: value }
      },
    })
  const order = define('order', 'write', { needsApproval: true })
  const clerk = agentTool(
    await createReactAgent({ lm: clerkModel(pause), tools: [order], signature: clerkSignature, name: 'clerk' }),
    { name: 'clerk', description: 'Orders.' },
  )
  const tools = [
    define('look', 'read'),
    define('put', 'idempotent'),
    define('pay', 'write'),
    define('locate', undefined),
    order,
    clerk,
    defineTool({
      name: 'fail',
      description: 'Fails.',
      args: VALUE,
      effect: 'read',
      execute: async () => {
        await pause()
        throw new Error('no')
      },
    }),
    defineTool({
      name: 'flaky',
      description: 'Fails at first.',
      args: FLAKY,
      effect: 'read',
      execute: async ({ value, attempt, failures }) => {
        await pause()
        if (attempt < failures) throw new Error('not yet')
        return { flaky: value }
      },
    }),
    ...['program', 'inner', 'innermost'].map((name) =>
      defineTool({
        name,
        description: name,
        args: PROGRAM,
        nested: true,
        execute: (args, context) => runProgram(JSON.parse(args.program), context),
      }),
    ),
  ]
  return await createReactAgent({ lm: model(program), tools, signature, name: 'outer' })
}

function model(program: Node): LM {
  return {
    async generate({ messages }) {
      const result = messages.find(({ role }) => role === 'tool')
      if (result !== undefined) return { text: String(result.content), toolCalls: [] }
      const args = JSON.stringify({ program: JSON.stringify(program) })
      return { text: '', toolCalls: [{ id: 'c1', name: 'program', arguments: args }] }
    },
  }
}

const clerkSignature = defineSignature({
  instructions: 'Order.',
  inputs: { value: Type.Integer() },
  outputs: { answer: Type.String() },
})

function clerkModel(pause: () => Promise<void>): LM {
  return {
    async generate({ messages }) {
      await pause()
      const result = messages.find(({ role }) => role === 'tool')
      if (result !== undefined) return { text: String(result.content), toolCalls: [] }
      const value = Number(/\d+/.exec(JSON.stringify(messages.at(-1)?.content))?.[0])
      return { text: '', toolCalls: [{ id: 'o1', name: 'order', arguments: JSON.stringify({ value }) }] }
    },
  }
}

/** Decides about a call or a question. The result depends only on what is asked, so that every schedule gets the same decisions. */
export const decide = ({ needs, args, message = '' }: Pick<PendingCall, 'needs' | 'args' | 'message'>): Decision => {
  if (needs === 'input') {
    const value = Number(/\d+/.exec(message)?.[0])
    return value % 4 === 0 ? { type: 'reject', reason: 'busy' } : { type: 'input', input: { reply: value } }
  }
  const { value } = args as { readonly value: number }
  if (value % 5 === 0) return { type: 'reject', reason: 'too much' }
  return value % 7 === 0 ? { type: 'edit', args: { value: value + 1000 } } : { type: 'approve' }
}

export const approve: Approve = (call) => decide(call)

/** Records steps like a journal in a file: all records are available at once, by key. The process dies after a number of new records. */
export class MortalSteps implements Steps {
  readonly #records: Map<string, string>
  readonly #decisions: Map<string, unknown>
  readonly #process: Process
  #left: number
  /** Number of groups of steps that haven't ended. An engine that is being closed waits for them. */
  groups = 0

  constructor(records: Map<string, string>, decisions: Map<string, unknown>, process: Process, left: number) {
    this.#records = records
    this.#decisions = decisions
    this.#process = process
    this.#left = left
  }

  async run<T>(key: string, execute: () => Promise<T>): Promise<T> {
    await this.#process.live()
    const recorded = this.#records.get(key)
    if (recorded !== undefined) return JSON.parse(recorded)
    const value = await execute()
    await this.#process.live()
    if (this.#left-- <= 0) this.#process.die()
    await this.#process.live()
    this.#records.set(key, JSON.stringify(value) ?? 'null')
    return value
  }

  async wait(key: string): Promise<unknown> {
    if (!this.#decisions.has(key)) throw new NotDecided(key)
    return this.#decisions.get(key)
  }

  async together<T>(_: readonly string[], work: () => Promise<T>): Promise<T> {
    this.groups++
    try {
      return await work()
    } finally {
      this.groups--
    }
  }
}
