export type { Dialect, TextParser } from './dialect.ts'
export { parseWith } from './dialect.ts'
export { hermes } from './hermes.ts'
