/** Reads the addresses of servers from the environment. */
import { UsageError } from '../failure.ts'

/**
 * Returns the address in `OPENAI_BASE_URL` without a trailing slash, or undefined if the variable isn't set. Throws `UsageError` if the
 * address isn't an HTTP URL.
 */
export function openaiURL({ OPENAI_BASE_URL: url }: NodeJS.ProcessEnv): string | undefined {
  if (!url) return undefined
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new UsageError(`OPENAI_BASE_URL must be an HTTP URL, e.g. http://localhost:8080/v1. It is "${url}".`)
  return url.replace(/\/+$/, '')
}

/** Returns the address of Ollama. `OLLAMA_HOST` is a URL, or a host with or without a port. Default: `http://127.0.0.1:11434`. */
export function ollamaURL({ OLLAMA_HOST: host }: NodeJS.ProcessEnv): string {
  if (!host) return `http://127.0.0.1:${OLLAMA_PORT}`
  if (/^https?:/i.test(host)) return host.replace(/\/+$/, '')
  // A server that listens on all addresses is contacted on the loopback address.
  const local = host.replace(/^(?:0\.0\.0\.0|\[::\])(?=$|:)/, '127.0.0.1')
  return `http://${/:\d+$/.test(local) ? local : `${local}:${OLLAMA_PORT}`}`
}

const OLLAMA_PORT = 11434
