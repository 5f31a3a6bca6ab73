/** Features that depend on the version of a Gemini model, which is read from the model's name. */

export interface ModelTraits {
  /**
   * Accepts JSON Schema for tools and replies (`parametersJsonSchema`, `responseJsonSchema`). Since 2.5. Older models accept the OpenAPI
   * subset on all hosts, but JSON Schema only on some hosts (github.com/envoyproxy/ai-gateway/pull/1512).
   */
  readonly jsonSchema: boolean
  /** Supports the mode `VALIDATED`. Since 2.5. */
  readonly validated: boolean
  /** Rejects a turn whose first call has no thought signature. Since 3 (ai.google.dev/gemini-api/docs/thought-signatures). */
  readonly signedCalls: boolean
  /** Accepts images and files inside a function response. Since 3 (ai.google.dev/gemini-api/docs/function-calling). */
  readonly mediaResults: boolean
  /** Supports a JSON reply in a request with tools. Since 3. Older models return status 400 (github.com/symfony/ai/issues/803). */
  readonly jsonBesideTools: boolean
}

/** The first Gemini version in which all models have the trait. */
const SINCE: { readonly [Trait in keyof ModelTraits]: number } = {
  jsonSchema: 2.5,
  validated: 2.5,
  signedCalls: 3,
  mediaResults: 3,
  jsonBesideTools: 3,
}

/**
 * Returns the traits of a model. A tuned or unknown model is treated as one of the oldest, because newer models also accept requests for
 * the oldest ones.
 */
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
 * Returns the path of a model's endpoint. The model name may already be a path: `models/…`, `tunedModels/…` or a full Vertex resource
 * name.
 */
export function pathOf(model: string, stream: boolean): string {
  const path = model.includes('/') ? model.replace(/^\/+/, '') : `models/${model}`
  return `/${path.split('/').map(encodeURIComponent).join('/')}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
}
