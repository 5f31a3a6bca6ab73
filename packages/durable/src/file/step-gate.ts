/**
 * Holds back new steps until the function requests a decision that the run waited for. Before that, the function may be on another path than
 * the one that is recorded. A step on that path would leave a record that doesn't belong to the run, or an effect.
 */
import type { WaitsFor } from '../engine/engine.ts'
import { anotherProgram } from '../engine/run-errors.ts'
import type { DurableError } from '../errors.ts'

/** How long the first step that is held back waits for the decision to be requested, in milliseconds. Branches may have other work to do. */
const PATIENCE_MS = 10_000

export interface StepGateOptions {
  /** The decisions. The gate is open if there are none. */
  readonly decisions: readonly WaitsFor[]
  /** Returns true for a step that may start on any path, because it is recorded or was requested before the run waited. */
  mayStart(key: string): boolean
  /** Called if the function has requested none of the decisions in time. */
  onStuck(cause: DurableError): void
}

interface HeldBack {
  resolve(): void
  reject(reason: unknown): void
}

export class StepGate {
  readonly #options: StepGateOptions
  readonly #heldBack = new Set<HeldBack>()
  #isOpen: boolean
  #closed: { readonly reason: unknown } | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: StepGateOptions) {
    this.#options = options
    this.#isOpen = options.decisions.length === 0
  }

  /** Returns undefined if the step may start now. Otherwise, the promise resolves when it may, and rejects once the gate is closed. */
  enter(key: string): Promise<void> | undefined {
    if (this.#isOpen || this.#options.mayStart(key)) return undefined
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) return reject(this.#closed.reason)
      this.#heldBack.add({ resolve, reject })
      this.#timer ??= setTimeout(() => this.#options.onStuck(this.#misfitOf(key)), PATIENCE_MS)
    })
  }

  /** Opens the gate if the run waited for this decision. */
  request(name: string): void {
    if (this.#isOpen || !this.#options.decisions.some((decision) => decision.name === name)) return
    this.#isOpen = true
    this.#end((step) => step.resolve())
  }

  /** Rejects the steps that are held back, and any later one. */
  close(reason: unknown): void {
    this.#closed ??= { reason }
    this.#end((step) => step.reject(reason))
  }

  #end(settle: (step: HeldBack) => void): void {
    clearTimeout(this.#timer)
    for (const step of this.#heldBack) settle(step)
    this.#heldBack.clear()
  }

  #misfitOf(key: string): DurableError {
    const name = JSON.stringify(this.#options.decisions[0]?.name)
    return anotherProgram(`it requested the step ${JSON.stringify(key)} before the decision ${name}.`)
  }
}
