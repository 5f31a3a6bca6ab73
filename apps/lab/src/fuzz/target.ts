/** The contract of a fuzz target: samples from a seed, and what one execution found. */
import type { Random } from './random.ts'

export interface FuzzTarget<Outcome extends Execution | Promise<Execution> = Execution | Promise<Execution>> {
  readonly name: string
  /** Begins a run: the same seed gives the same executions in the same order. `publish` hears each text before it is read. */
  start(publish?: (text: string) => void): FuzzRun<Outcome>
}

export interface FuzzRun<Outcome extends Execution | Promise<Execution> = Execution | Promise<Execution>> {
  /** Makes one sample and checks it. */
  execute(random: Random): Outcome
  /** In how many ways the samples were read so far. */
  readonly behaviours: number
  /** Lets go of servers and files. */
  end?(): Promise<void>
}

export interface Execution {
  readonly text: string
  /** How the text was read, in short: faults of one check that were read in another way are told apart. */
  readonly behaviour: string
  readonly fault?: Fault
  /** Looks for the smallest text with the same fault. Takes a second or two. */
  minimize(): string
}

export interface Fault {
  /** What must hold. */
  readonly check: string
  /** What was found instead. */
  readonly why: string
}
