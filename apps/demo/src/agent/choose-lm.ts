/** Chooses a model for `ask` and `chat` if `--lm` isn't given. */
import { UsageError } from '../failure.ts'
import { ollamaURL, openaiURL } from './local-servers.ts'
import type { LMChoice, Provider } from './providers.ts'

export interface ChosenLM {
  readonly choice: LMChoice
  /** The reason for the choice, as part of a sentence. */
  readonly why: string
}

/** The environment variables for API keys, in the order in which they are checked, each with a small model of its provider. */
const KEYS: readonly (readonly [key: string, provider: Provider, model: string])[] = [
  ['OPENAI_API_KEY', 'openai', 'gpt-5-mini'],
  ['ANTHROPIC_API_KEY', 'anthropic', 'claude-sonnet-4-6'],
  ['GEMINI_API_KEY', 'google', 'gemini-2.5-flash'],
  ['GOOGLE_API_KEY', 'google', 'gemini-2.5-flash'],
  ['MISTRAL_API_KEY', 'mistral', 'mistral-small-latest'],
  ['GROQ_API_KEY', 'groq', 'openai/gpt-oss-20b'],
  ['XAI_API_KEY', 'xai', 'grok-4'],
  ['DEEPSEEK_API_KEY', 'deepseek', 'deepseek-chat'],
  ['OPENROUTER_API_KEY', 'openrouter', 'openai/gpt-5-mini'],
]

/** Maximum time to wait for a local Ollama, in milliseconds. It replies immediately if it is running. */
const OLLAMA_MS = 300
/** Maximum time to wait for another server's list of models, in milliseconds. */
const SERVER_MS = 10_000

/**
 * Chooses the server at `OPENAI_BASE_URL`, a provider with a key in the environment, or a local Ollama that replies within 300 ms. If
 * there is none of these, chooses the rules. Rejects with `UsageError` if `OPENAI_BASE_URL` is set but the server lists no model.
 */
export async function chooseLM(environment: NodeJS.ProcessEnv = process.env): Promise<ChosenLM> {
  const server = openaiURL(environment)
  if (server !== undefined) {
    const headers = environment.OPENAI_API_KEY ? { authorization: `Bearer ${environment.OPENAI_API_KEY}` } : undefined
    const model = firstName(await read(`${server}/models`, SERVER_MS, headers), 'data', 'id')
    if (model === undefined)
      throw new UsageError(`The server at OPENAI_BASE_URL (${server}) lists no models. Name the model: --lm openai:<model>.`)
    return { choice: { kind: 'provider', provider: 'openai', model }, why: 'OPENAI_BASE_URL is set' }
  }
  for (const [key, provider, model] of KEYS)
    if (environment[key]) return { choice: { kind: 'provider', provider, model }, why: `${key} is set` }
  const model = firstName(await read(`${ollamaURL(environment)}/api/tags`, OLLAMA_MS), 'models', 'name')
  if (model !== undefined) return { choice: { kind: 'provider', provider: 'ollama', model }, why: 'Ollama is running' }
  return { choice: { kind: 'rules' }, why: "for a model, pass --lm, set a provider's key or start Ollama" }
}

/** Reads JSON from a URL. Resolves to undefined if the server can't be reached, doesn't reply in time, or replies with something else. */
async function read(url: string, timeoutMs: number, headers?: Record<string, string>): Promise<unknown> {
  try {
    const reply = await fetch(url, { headers: headers ?? {}, signal: AbortSignal.timeout(timeoutMs) })
    return reply.ok ? await reply.json() : undefined
  } catch {
    return undefined
  }
}

/** Returns the name of the first model in `{ [list]: [{ [field]: name }] }`. */
function firstName(reply: unknown, list: string, field: string): string | undefined {
  const models = isRecord(reply) ? reply[list] : undefined
  const first: unknown = Array.isArray(models) ? models[0] : undefined
  const name = isRecord(first) ? first[field] : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
