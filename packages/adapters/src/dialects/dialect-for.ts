/** Finds the dialect of a model by its name, with the patterns of each dialect. */
import * as all from './all.ts'
import type { Dialect } from './define/dialect.ts'

const DIALECTS: readonly Dialect[] = Object.values(all)

const WITHOUT_CALLS: readonly RegExp[] = [
  // These models don't generate text or can't call tools.
  /embed|rerank|guard|reward|-base(?:-|$)/,
  // These models were distilled from other families and weren't trained on tool calls.
  /deepseek-r1-(?:distill|0528-qwen)/,
  // The first versions didn't support tools.
  /(?:mistral-7b|mixtral-8x7b)(?:-instruct)?-v0\.[12]/,
]

/** Fine-tuned models of other families. They can call tools only if a dialect lists them in `tunes`. */
const OTHER_TUNES = /hermes|nemotron/

/**
 * Returns the dialect of an open model. The name may be the publisher's (`Qwen/Qwen3-Coder-30B-A3B-Instruct`) or a server's
 * (`qwen3-coder:30b`). Returns undefined for an unknown model, and for a model that can't call tools. If your model is unknown,
 * choose the dialect that it was trained on.
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
