/** The engine on Restate: the server keeps the runs, and calls workers that execute them. */
export { createRestateEngine } from './create-engine.ts'
export type { RestateEngineOptions } from './options.ts'
