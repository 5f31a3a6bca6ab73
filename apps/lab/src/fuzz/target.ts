/** The contract for a fuzz target: samples from a seed, and the findings of an execution. */
import type { Random } from './random.ts'

export interface FuzzTarget<Outcome extends Execution | Promise<Execution> = Execution | Promise<Execution>> {
  readonly name: string
  /** Starts a run. The same seed gives the same executions in the same order. Calls `publish` with each input before it is read. */
  start(publish?: (text: string) => void): FuzzRun<Outcome>
}

export interface FuzzRun<Outcome extends Execution | Promise<Execution> = Execution | Promise<Execution>> {
  /** Makes one sample and checks it. */
  execute(random: Random): Outcome
  /** Number of distinct readings so far. */
  readonly behaviours: number
  /** Releases servers and files. */
  end?(): Promise<void>
}

export interface Execution {
  readonly text: string
  /** Summary of the reading. Faults of one check with different readings are different findings. */
  readonly behaviour: string
  readonly fault?: Fault | undefined
  /** Looks for the smallest input with the same fault. Takes a second or two. */
  minimize(): string
}

/** The results of checking one sample. */
export type Checked = Pick<Execution, 'behaviour' | 'fault'>

export interface Fault {
  /** The violated rule. */
  readonly check: string
  /** The actual behavior. */
  readonly why: string
}
