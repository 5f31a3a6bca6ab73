/** An example run: a request that is played and checked, with a bank of its own. Types only. */
import type { LM } from '@x/adapters'
import type { LMChoice } from '../agent/providers.ts'
import type { RequestRecord } from '../agent/session.ts'
import type { DemoRequest } from '../domains/domain.ts'
import type { Terminal } from '../view/terminal.ts'
import type { Findings } from './findings.ts'

export interface RunExample {
  /** Name of the example in the table of the tour. */
  readonly name: string
  readonly title: string
  readonly request: DemoRequest
  /** All expected transactions. Any other transaction makes the example fail. */
  readonly booked: readonly string[]
  /** True for a run that must end without an answer. */
  readonly endsEarly?: boolean | undefined
  /** Shows the run and checks everything that the other properties don't cover. */
  play(stage: Stage): Promise<Omit<RequestRecord, 'ms'>>
}

/** Everything that an example needs to run. */
export interface Stage {
  readonly lm: LM
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** A new empty directory, removed afterwards. */
  readonly folder: string
  readonly program: KilledProgram
  readonly findings: Findings
}

/** The program that is started as a process and killed. */
export interface KilledProgram {
  /** The JavaScript file of `killed-program.ts`. */
  readonly file: string
  /** The model, in a form that can be passed to the process. */
  readonly model: LMChoice
}
