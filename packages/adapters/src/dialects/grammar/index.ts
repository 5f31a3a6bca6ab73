/** Writes the tools as a grammar, for servers with constrained decoding. */
export type { GrammarLoss } from './schema-rules.ts'
export type { Grammar, GrammarOptions } from './to-grammar.ts'
export { toGrammar } from './to-grammar.ts'
