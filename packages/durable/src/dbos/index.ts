/** The DBOS engine. */
export { createDbosEngine } from './dbos-engine.ts'
export type { DbosEngineOptions } from './options.ts'
