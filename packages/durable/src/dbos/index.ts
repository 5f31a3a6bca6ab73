/** The DBOS engine. */
export { createDbosEngine } from './dbos-engine.ts'
export type { DbosEngineOptions, RateLimit } from './options.ts'
