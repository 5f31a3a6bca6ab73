/** The port that engines implement, without the agent. */
export type { FailureWords } from './steps/recorded-failure.ts'
export { RecordedFailure } from './steps/recorded-failure.ts'
export type { Steps } from './steps/steps.ts'
export { NotDecided, together } from './steps/steps.ts'
