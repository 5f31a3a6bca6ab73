/** The public form of `defineDialect`, whose default is the control tokens of all families. */
import * as families from './control-tokens.ts'
import { makeOf, toDialect } from './define-dialect.ts'
import type { DialectDefinition } from './definition.ts'
import type { Dialect } from './dialect.ts'

/** A group of models that have the same control tokens, and mostly the same chat template. */
export type TokenFamily = keyof typeof families

/** Control tokens by model family. */
export const CONTROL_TOKENS: Readonly<Record<TokenFamily, readonly string[]>> = {
  apriel: families.apriel,
  chatml: families.chatml,
  cohere: families.cohere,
  deepseek: families.deepseek,
  ernie: families.ernie,
  exaone: families.exaone,
  functiongemma: families.functiongemma,
  gemma: families.gemma,
  gemma4: families.gemma4,
  glm: families.glm,
  granite: families.granite,
  harmony: families.harmony,
  hunyuan: families.hunyuan,
  internlm: families.internlm,
  jamba: families.jamba,
  kimi: families.kimi,
  kimi_k3: families.kimi_k3,
  lfm2: families.lfm2,
  llama3: families.llama3,
  llama4: families.llama4,
  minimax: families.minimax,
  mistral: families.mistral,
  nemotron: families.nemotron,
  olmo: families.olmo,
  phi: families.phi,
  qwen: families.qwen,
  seed: families.seed,
  step: families.step,
}

/** The control tokens of all families, for dialects that don't belong to a single family. */
export const ALL_CONTROL_TOKENS: readonly string[] = [...new Set(Object.values(CONTROL_TOKENS).flat())]

/** Creates a dialect. Throws a `TypeError` if two parts of the definition have the same marker, or a marker or control token is empty. */
export function defineDialect(definition: DialectDefinition): Dialect {
  const { name, models, tunes, controlTokens = ALL_CONTROL_TOKENS } = definition
  const made = makeOf({ ...definition, controlTokens })
  return toDialect({ name, models, tunes }, () => made)
}
