/** A bench: subjects that do the same work, its cases, goals that compare two of them, and limits. */

export interface Bench {
  readonly name: string
  /** The unit of the figures: microseconds per one of these. */
  readonly per: string
  /** Name of the subject that all rows are compared with. */
  readonly base: string
  readonly subjects: readonly Subject[]
  readonly cases: readonly string[]
  readonly goals: readonly Goal[]
  readonly limits?: readonly Limit[]
  /** Writes the shared files of all processes into an empty directory, which is passed to them and removed at the end. */
  prepare?(folder: string): Promise<void>
  /** Prepares one case of one subject, in the process of that subject. */
  open(subject: Subject, caseName: string, peersFolder: string, preparedFolder?: string): Promise<Workload>
  /** Runs a case that a process can do only once, in this process. Rejects when the work is incomplete. */
  takeOnce?(subject: Subject, caseName: string, peersFolder: string, preparedFolder?: string): Promise<Sample>
}

export interface Subject {
  readonly name: string
  /** The packages whose versions are reported. */
  readonly packages: readonly string[]
  /** The cases it supports. Default: all. The base supports all. */
  readonly cases?: readonly string[]
  /** Imports the module that does the work. */
  load(peersFolder: string): Promise<unknown>
}

/** One case of one subject, ready to run. */
export interface Workload {
  /** Number of units per run. */
  readonly units: number
  /** Rejects when a run doesn't do all of the work. */
  verify(): Promise<void>
  /** Does the work once. Rejects when it is incomplete. */
  run(): Promise<void>
  /** Takes a single sample, for work that isn't warmed up or repeated in this process. */
  sample?(): Promise<Sample>
}

/** One subject in one case. */
export interface Cell {
  readonly subject: string
  readonly case: string
}

/** The cell must take at most `limit` times as long as the other cell. */
export interface Goal {
  readonly name: string
  readonly limit: number
  readonly cell: Cell
  readonly over: Cell
  /** What is compared. Default: CPU time. Use the clock for work of a few milliseconds that a process does only once. */
  readonly by?: keyof Sample
}

/** Maximum time of the cell by the clock, in microseconds. */
export interface Limit {
  readonly name: string
  readonly most: number
  readonly cell: Cell
}

/** Time of one batch, in microseconds per unit. */
export interface Sample {
  /** CPU time of the whole process, including the threads for garbage collection and compilation. */
  readonly cpu: number
  readonly wall: number
}
