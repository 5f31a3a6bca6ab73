/**
 * What runs agents, `predict` and selectors. Loaded by the first of them that is used, as one file, because bundlers make a chunk of every part
 * that two files share.
 */
export { createAgent } from './create-agent.ts'
export { askOnce } from './predict/ask.ts'
export { createSelector } from './selector/select.ts'
