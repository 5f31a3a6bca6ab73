/** What a bench is: subjects that do the same work, cases of it, goals that compare two of them, and limits. */

export interface Bench {
  readonly name: string
  /** What one figure is about: microseconds for each of these. */
  readonly per: string
  /** The name of the subject that every row is compared with. */
  readonly base: string
  readonly subjects: readonly Subject[]
  readonly cases: readonly string[]
  readonly goals: readonly Goal[]
  readonly limits?: readonly Limit[]
  /** Writes what all processes share into an empty folder, which is handed to them and removed at the end. */
  prepare?(folder: string): Promise<void>
  /** Prepares one case of one subject, in the process of that subject. */
  open(subject: Subject, caseName: string, peersFolder: string, preparedFolder?: string): Promise<Workload>
  /** Does a case that a process can do only once, in this process. Rejects when not all of it was done. */
  takeOnce?(subject: Subject, caseName: string, peersFolder: string, preparedFolder?: string): Promise<Sample>
}

export interface Subject {
  readonly name: string
  /** The packages whose versions the report tells. */
  readonly packages: readonly string[]
  /** The cases that it does; all unless told. The base does all. */
  readonly cases?: readonly string[]
  /** Imports the module that does the work. */
  load(peersFolder: string): Promise<unknown>
}

/** One case of one subject, ready to run. */
export interface Workload {
  /** How many units one run does. */
  readonly units: number
  /** Rejects when a run does not do all of the work. */
  verify(): Promise<void>
  /** Does the work once. Rejects when it did not do all of it. */
  run(): Promise<void>
  /** Takes one sample by itself, for work that is neither warmed up nor done again and again in this process. */
  sample?(): Promise<Sample>
}

/** One subject at one case. */
export interface Cell {
  readonly subject: string
  readonly case: string
}

/** The cell must take at most `limit` times what the other cell takes. */
export interface Goal {
  readonly name: string
  readonly limit: number
  readonly cell: Cell
  readonly over: Cell
  /** What is compared: CPU time unless told. The clock for work of a few milliseconds that a process does only once. */
  readonly by?: keyof Sample
}

/** What one waits for: the cell must take at most so many microseconds by the clock. */
export interface Limit {
  readonly name: string
  readonly most: number
  readonly cell: Cell
}

/** What one batch took, in microseconds for each unit. */
export interface Sample {
  /** Of the whole process: also of the threads that collect garbage and compile. */
  readonly cpu: number
  readonly wall: number
}
