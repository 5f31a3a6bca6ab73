/**
 * The code behind `createReactAgent`, `predict` and `multiToolSelector`, loaded when one of them is used. One file, because bundlers make a chunk
 * of every part that two files share.
 */
export { createAgent } from './create-agent.ts'
export { askOnce } from './predict/ask.ts'
export { createSelector } from './selector/select.ts'
