/** Preloaded into a child process: writes the URL of every module that is loaded, one per line, to the file in X_LOADS. */
import { appendFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'

if (createRequire(import.meta.url)('node:worker_threads').isMainThread) register(import.meta.url)

export async function load(url, context, nextLoad) {
  if (url.startsWith('file:')) appendFileSync(process.env.X_LOADS, `${url}\n`)
  return nextLoad(url, context)
}
