/** The actions of `runs`. Types only. */
import type { LMChoice } from '../agent/providers.ts'

export type RunsAction =
  | { readonly type: 'list' }
  | { readonly type: 'show' | 'cancel'; readonly id: string }
  | { readonly type: 'approve'; readonly id: string; readonly name?: string | undefined; readonly decision: DecisionWords }
  /** Without an id, all unfinished runs. */
  | { readonly type: 'resume'; readonly id?: string | undefined; readonly lm?: LMChoice | undefined }

/** The options from the command line. Without any of them, it is an approval. */
export interface DecisionWords {
  readonly no: boolean
  readonly reason?: string | undefined
  /** `{"amount":80}` or `amount=80`. */
  readonly edit?: string | undefined
}
