/** Preloaded into a child process. Appends the URL of every loaded module to the file in X_LOADS, one per line. */
import { appendFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'

if (createRequire(import.meta.url)('node:worker_threads').isMainThread) register(import.meta.url)

export async function load(url, context, nextLoad) {
  if (url.startsWith('file:')) appendFileSync(process.env.X_LOADS, `${url}\n`)
  return nextLoad(url, context)
}
