/** The port that engines implement, and the check of decisions, without the agent. */
export { assertDecision, isPendingCall } from './approval/read-decision.ts'
export { loadModules } from './steps/load-modules.ts'
export type { FailureWords } from './steps/recorded-failure.ts'
export { RecordedFailure } from './steps/recorded-failure.ts'
export type { Steps } from './steps/steps.ts'
export { NotDecided, together } from './steps/steps.ts'
