/** The Restate engine. The server stores runs and calls the workers that execute them. */
export { createRestateEngine } from './create-engine.ts'
export type { RestateEngineOptions } from './options.ts'
