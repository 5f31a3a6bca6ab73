/** The port of engines alone: what they implement, without the agent. */
export type { FailureWords } from '../recorded-failure.ts'
export { RecordedFailure } from '../recorded-failure.ts'
export type { Steps } from '../steps.ts'
export { NotDecided } from '../steps.ts'
