/** Features that a Gemini model supports beyond those of the oldest models, by its name. */

export interface ModelTraits {
  /**
   * JSON Schema for tools and replies (`parametersJsonSchema`, `responseJsonSchema`). Since 2.5. Older models accept it on some hosts only
   * (github.com/envoyproxy/ai-gateway/pull/1512), and the OpenAPI subset on all.
   */
  readonly jsonSchema: boolean
  /** Supports the mode `VALIDATED`. Since 2.5. */
  readonly validated: boolean
  /** Refuses a turn whose first call has no thought signature. Since 3 (ai.google.dev/gemini-api/docs/thought-signatures). */
  readonly signedCalls: boolean
  /** Images and files inside a function response. Since 3 (ai.google.dev/gemini-api/docs/function-calling). */
  readonly mediaResults: boolean
  /** A JSON reply together with functions. Since 3. Older models return 400 (github.com/symfony/ai/issues/803). */
  readonly jsonBesideTools: boolean
}

/** The Gemini version from which on all models have a trait. */
const SINCE: { readonly [Trait in keyof ModelTraits]: number } = {
  jsonSchema: 2.5,
  validated: 2.5,
  signedCalls: 3,
  mediaResults: 3,
  jsonBesideTools: 3,
}

/** A tuned or unknown model is treated as the oldest: all models accept what that one accepts. */
export function traitsOf(model: string): ModelTraits {
  const version = versionOf(model.slice(model.lastIndexOf('/') + 1))
  return {
    jsonSchema: version >= SINCE.jsonSchema,
    validated: version >= SINCE.validated,
    signedCalls: version >= SINCE.signedCalls,
    mediaResults: version >= SINCE.mediaResults,
    jsonBesideTools: version >= SINCE.jsonBesideTools,
  }
}

function versionOf(name: string): number {
  const version = /^gemini-(\d{1,3}(?:\.\d{1,3})?)(?![\d.])/.exec(name)?.[1]
  if (version !== undefined) return Number(version)
  return /^gemini-[a-z-]{1,40}-latest$/.test(name) ? Number.POSITIVE_INFINITY : 0
}

/**
 * Returns the model's path. A name that is already a path is returned unchanged: `models/…`, `tunedModels/…` and the long names of Vertex.
 */
export function pathOf(model: string, stream: boolean): string {
  const path = model.includes('/') ? model.replace(/^\/+/, '') : `models/${model}`
  return `/${path.split('/').map(encodeURIComponent).join('/')}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
}
