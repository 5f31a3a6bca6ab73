/** Which dialect a model writes, by its name. Each dialect has the patterns of its models. */
import * as all from './all.ts'
import type { Dialect } from './dialect.ts'

const DIALECTS: readonly Dialect[] = Object.values(all)

const WITHOUT_CALLS: readonly RegExp[] = [
  // These don't talk, or not with tools.
  /embed|rerank|guard|reward|-base(?:-|$)/,
  // Distilled into other families, and never taught to call.
  /deepseek-r1-(?:distill|0528-qwen)/,
  // The first ones had no tools.
  /(?:mistral-7b|mixtral-8x7b)(?:-instruct)?-v0\.[12]/,
]

/** Tunes of other families, of which only those that a dialect names are known to call. */
const OTHER_TUNES = /hermes|nemotron/

/**
 * The dialect of an open model, named as its publisher or a server names it: `Qwen/Qwen3-Coder-30B-A3B-Instruct`, `qwen3-coder:30b`.
 * Undefined for a model that no dialect names, or that writes no calls: then say yourself which dialect it was taught.
 */
export function dialectFor(modelName: string): Dialect | undefined {
  const name = modelName.slice(0, MAX_NAME).toLowerCase()
  const own = name.slice(name.lastIndexOf('/') + 1).replace(/[^a-z0-9.]+/g, '-')
  const matches = (pattern: RegExp) => pattern.test(own)
  if (WITHOUT_CALLS.some(matches)) return undefined
  const tuned = DIALECTS.find(({ tunes = [] }) => tunes.some(matches))
  if (tuned !== undefined || OTHER_TUNES.test(own)) return tuned
  return DIALECTS.find(({ models = [] }) => models.some(matches))
}

const MAX_NAME = 300
