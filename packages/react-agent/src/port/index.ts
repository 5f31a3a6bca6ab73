/** The port of engines alone: what they implement, without the agent. */
export type { Steps } from '../steps.ts'
export { NotDecided } from '../steps.ts'
