/** Tools and an agent for random programs, in processes that can die at any record. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { Decision, PendingCall } from '@x/react-agent'
import { NotDecided, type Steps } from '@x/react-agent/steps'
import { defineTool, type Effect, type Tool } from '@x/tool-core'
import * as Type from 'typebox'
import { openAgent } from './agent.ts'

// Shared by the tools of all processes. Otherwise, it would be compiled once more for each tool of thousands of processes.
const ARGS = Type.Object({
  value: Type.Integer(),
  attempt: Type.Optional(Type.Integer()),
  failures: Type.Optional(Type.Integer()),
})

export interface Made {
  readonly tool: string
  readonly value: number
  readonly key: string
}

/** A simulated process. When it dies, everything that runs in it stops and never continues. */
export class Process {
  isDead = false
  readonly #abort = new AbortController()
  /** Aborted after the death, so that the sandbox of the process ends too. Otherwise every dead process leaves a worker behind. */
  readonly signal = this.#abort.signal
  #die: () => void = () => {}
  readonly died = new Promise<'died'>((resolve) => {
    this.#die = () => resolve('died')
  })

  die(): void {
    this.isDead = true
    this.#die()
    this.#abort.abort()
  }

  /** Never resolves in a dead process. */
  async live(): Promise<void> {
    if (this.isDead) await new Promise<never>(() => {})
  }
}

export interface WorldOptions {
  readonly code: string
  readonly made: Made[]
  readonly process: Process
  readonly random: () => number
  readonly inline: boolean
}

/** Creates an agent whose model runs the program once. */
export async function openWorld({ code, made, process, random, inline }: WorldOptions) {
  const pause = async () => {
    const kind = random()
    if (kind < 0.3) await turn()
    else if (kind < 0.5) await sleep(random() * 3)
    else if (kind < 0.6) for (let turns = 0; turns < 4; turns++) await turn()
    await process.live()
  }
  const define = (name: string, effect: Effect | undefined, needsApproval = false): Tool =>
    defineTool({
      name,
      description: name,
      args: ARGS,
      effect,
      needsApproval,
      execute: async ({ value, attempt = 0, failures = 0 }, { idempotencyKey: key }) => {
        await pause()
        if (name === 'fail' || attempt < failures) throw new Error('no')
        made.push({ tool: name, value, key })
        await pause()
        return { [name]: value }
      },
    }) as unknown as Tool
  const tools = [
    define('look', 'read'),
    define('fail', 'read'),
    define('flaky', 'read'),
    define('put', 'idempotent'),
    define('pay', 'write'),
    define('locate', undefined),
    define('order', 'write', true),
  ]
  return await openAgent(code, tools, { inline, limits: { calls: 1_000 } })
}

/** Decides about a call. The result depends only on its arguments, so that every schedule gets the same decisions. */
export function decide({ args }: Pick<PendingCall, 'args'>): Decision {
  const { value } = args as { readonly value: number }
  if (value % 5 === 0) return { type: 'reject', reason: 'too much' }
  return value % 7 === 0 ? { type: 'edit', args: { value: value + 1000 } } : { type: 'approve' }
}

/** Records steps like a journal in a file: by key, all available at once. The process dies after a number of new records. */
export class MortalSteps implements Steps {
  readonly #records: Map<string, string>
  readonly #decisions: ReadonlyMap<string, unknown>
  readonly #process: Process
  #left: number

  constructor(records: Map<string, string>, decisions: ReadonlyMap<string, unknown>, process: Process, left: number) {
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
}
