/** A bench: subjects that do the same work in several cases, goals that compare two cells, and limits. */

export interface Bench {
  readonly name: string
  /** The unit of work, e.g. `step`. Figures are microseconds per unit. */
  readonly per: string
  /** Name of the subject that all rows are compared with. */
  readonly base: string
  readonly subjects: readonly Subject[]
  readonly cases: readonly string[]
  readonly goals: readonly Goal[]
  readonly limits?: readonly Limit[]
  /** Writes files that all processes share into an empty directory. Each process receives the directory, which is removed at the end. */
  prepare?(folder: string): Promise<void>
  /** Prepares one case for one subject, in that subject's process. */
  open(subject: Subject, caseName: string, peersFolder: string, preparedFolder?: string): Promise<Workload>
  /** Runs, in this process, a case that each process can run only once. Rejects if the work is incomplete. */
  takeOnce?(subject: Subject, caseName: string, peersFolder: string, preparedFolder?: string): Promise<Sample>
  /** Measures something other than a subject's time, in this process and after all subjects. */
  tabulate?(preparedFolder: string): Promise<Table>
}

/** A table of figures that the report prints unchanged. */
export interface Table {
  readonly title: string
  readonly head: readonly string[]
  /** The first cell of a row is text. */
  readonly rows: readonly (readonly (string | number)[])[]
}

export interface Subject {
  readonly name: string
  /** Packages whose versions the report lists. */
  readonly packages: readonly string[]
  /** The cases that the subject supports. Default: all. The baseline must support all. */
  readonly cases?: readonly string[]
  /** Imports the module that does the work. */
  load(peersFolder: string): Promise<unknown>
}

/** One case of one subject, ready to run. */
export interface Workload {
  /** Number of units per run. */
  readonly units: number
  /** Does the work once, and verifies it. Rejects if any part of the work was skipped. */
  verify(): Promise<void>
  /** Executes the work once. Rejects if the work is incomplete. */
  run(): Promise<void>
  /** Takes one sample. If it is defined, it replaces the warm-up and the batches of `run`. */
  sample?(): Promise<Sample>
}

/** One subject in one case. */
export interface Cell {
  readonly subject: string
  readonly case: string
}

/** Requires that `cell` takes at most `limit` times as long as `over`. */
export interface Goal {
  readonly name: string
  readonly limit: number
  readonly cell: Cell
  readonly over: Cell
  /**
   * Which time to compare. Default: `cpu`. Use `wall` for work that mostly waits, or that takes milliseconds and runs once per process.
   */
  readonly by?: keyof Sample
}

/** Requires that `cell` takes at most `most` microseconds per unit. */
export interface Limit {
  readonly name: string
  readonly most: number
  readonly cell: Cell
  /** Which time to compare. Default: `wall`. Use `cpu` for work that doesn't wait. */
  readonly by?: keyof Sample
}

/** Time of one batch, in microseconds per unit. */
export interface Sample {
  /** CPU time of the whole process, including the threads for garbage collection and compilation. */
  readonly cpu: number
  readonly wall: number
}

/** Throws if a subject skipped a part of the work, or did other work than the subjects that it is compared with. */
export function assertWork(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(`The subject did different work: ${problem}.`)
}
