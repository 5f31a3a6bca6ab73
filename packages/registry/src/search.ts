export type { FusedRank } from './search/fusion.ts'
export { fuseRanks } from './search/fusion.ts'
export type { SearchHit, SearchOptions, ToolIndex } from './search/tool-index.ts'
export { createToolIndex } from './search/tool-index.ts'
