/** The contract for a fuzz target, which generates samples from a seed and checks them. */
import type { Random } from './random.ts'

export interface FuzzTarget<Outcome extends Execution | Promise<Execution> = Execution | Promise<Execution>> {
  readonly name: string
  /** Starts a run. The same seed gives the same executions in the same order. Calls `publish` with each input before it is checked. */
  start(publish?: (text: string) => void): FuzzRun<Outcome>
}

export interface FuzzRun<Outcome extends Execution | Promise<Execution> = Execution | Promise<Execution>> {
  /** Generates one sample and checks it. */
  execute(random: Random): Outcome
  /** Number of distinct kinds of results so far. */
  readonly behaviours: number
  /** Releases servers and files. */
  end?(): Promise<void>
}

export interface Execution {
  readonly text: string
  /** The kind of result. Violations of the same rule with different kinds of results are separate findings. */
  readonly behaviour: string
  readonly fault?: Fault | undefined
  /** Looks for the smallest input with the same fault. Takes one or two seconds. */
  minimize(): string
}

/** The results of checking one sample. */
export type Checked = Pick<Execution, 'behaviour' | 'fault'>

export interface Fault {
  /** The violated rule. */
  readonly check: string
  /** What happened instead. */
  readonly why: string
}
