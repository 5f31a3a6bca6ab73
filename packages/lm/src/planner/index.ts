/** A planner that stands in for a language model, for demos, tests and offline work. */
export { type PlannerOptions, plannerLM } from './planner-lm.ts'
