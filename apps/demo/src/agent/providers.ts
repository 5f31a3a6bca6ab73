/** The values of `--lm`: a provider's model as `<provider>:<model>`, or one of two stand-ins. */
export const PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'cohere',
  'bedrock',
  'ollama',
  'groq',
  'xai',
  'deepseek',
  'together',
  'fireworks',
  'openrouter',
  'moonshot',
  'alibaba',
  'vllm',
  'llamaCpp',
  'lmStudio',
] as const

export type Provider = (typeof PROVIDERS)[number]

/** One of two stand-ins, or a provider's model. */
export type LMChoice =
  | { readonly kind: 'planner' }
  | { readonly kind: 'searcher' }
  | { readonly kind: 'provider'; readonly provider: Provider; readonly model: string }
