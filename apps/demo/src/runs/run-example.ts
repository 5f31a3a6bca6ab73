/** What an example of a run is: a request, played on a bank of its own, and what was wrong with how it went. Types only. */
import type { LM } from '@x/adapters'
import type { LMChoice } from '../agent/providers.ts'
import type { RequestRecord } from '../agent/session.ts'
import type { DemoRequest } from '../domains/domain.ts'
import type { Terminal } from '../view/terminal.ts'
import type { Findings } from './findings.ts'

export interface RunExample {
  /** Shown in the table of the tour. */
  readonly name: string
  readonly title: string
  readonly request: DemoRequest
  /** All that the bank has to have booked at the end, and nothing else. */
  readonly booked: readonly string[]
  /** True for a run that is to end without an answer. */
  readonly endsEarly?: boolean | undefined
  /** Shows the run, and finds what does not hold, as far as that is not said above. */
  play(stage: Stage): Promise<Omit<RequestRecord, 'ms'>>
}

/** What an example is played with. */
export interface Stage {
  readonly lm: LM
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** New and empty; removed afterwards. */
  readonly folder: string
  readonly program: KilledProgram
  readonly findings: Findings
}

/** What is started as a process of its own, to be killed. */
export interface KilledProgram {
  /** The JavaScript file of `killed-program.ts`. */
  readonly file: string
  /** The model of the stage, for another process. */
  readonly model: LMChoice
}
