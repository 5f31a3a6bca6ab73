/** What a single run may be told, beside its inputs. Types only. */
import type { Approve } from '../approval/decision.ts'
import type { Budget } from '../model/spending.ts'
import type { Steps } from '../steps/steps.ts'
import type { History } from './history.ts'

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Of the whole run, in milliseconds; it then rejects with `timed_out`. */
  timeoutMs?: number | undefined
  /**
   * Names the run; random unless told. The idempotency key of a call is this name and the id that the model gave the call. With a journal
   * as `steps` both are the same after a crash. Without one the model is asked anew and gives other ids, so a run that is started a second
   * time under its name repeats calls under other keys.
   */
  id?: string | undefined
  /** Run-scoped values that tools declare; the model never sees them. */
  context?: object | undefined
  steps?: Steps | undefined
  /** Goes on after earlier runs, of this agent or another: the model reads what was said in them before the task. */
  history?: History | undefined
  /** In the place of the agent's. */
  budget?: Budget | undefined
  /** Asked about calls that need a yes, while the run waits. Without it such a run pauses: see `approval_required`. */
  approve?: Approve | undefined
}

/** The inputs and the id are those of the run that paused, and so is what was said before it. */
export type ResumeOptions = Omit<RunOptions, 'id' | 'history'>
