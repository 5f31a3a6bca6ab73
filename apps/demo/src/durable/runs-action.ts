/** What `runs` is to do. Types only. */
import type { LMChoice } from '../agent/providers.ts'

export type RunsAction =
  | { readonly type: 'list' }
  | { readonly type: 'show' | 'cancel'; readonly id: string }
  | { readonly type: 'approve'; readonly id: string; readonly name?: string | undefined; readonly decision: DecisionWords }
  /** Without an id all runs that are not over. */
  | { readonly type: 'resume'; readonly id?: string | undefined; readonly lm?: LMChoice | undefined }

/** As it comes from the command line; without any of it, a yes. */
export interface DecisionWords {
  readonly no: boolean
  readonly reason?: string | undefined
  /** `{"amount":80}` or `amount=80`. */
  readonly edit?: string | undefined
}
