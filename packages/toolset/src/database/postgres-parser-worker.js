/** The thread in which PostgreSQL's parser runs: a text that keeps it busy, or exhausts its stack, costs this thread only. */
import { parentPort } from 'node:worker_threads'

/**
 * @import { DatabaseReason } from './database-error.ts'
 * @import { RunRequest, WorkerReply, WorkerResult } from './worker-protocol.ts'
 */

if (parentPort === null) throw new Error('postgres-parser-worker.js runs as a worker thread only.')
const port = parentPort
// As in worker-protocol.ts, which Node 20 cannot import from JavaScript.
const OPENING = 0
/** The parser reserves half of it when it starts. */
const LARGE_MEMORY = 2 ** 28

/** @type {(sql: string) => unknown} */
let parse
await answer(OPENING, open)
port.on('message', (/** @type {RunRequest} */ request) =>
  request.kind === 'run' ? answer(request.id, () => run(request)) : process.exit(),
)

async function open() {
  const { loadModule, parseSync } = await import('libpg-query').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    const words = 'The package "libpg-query" is not installed. To fix: npm i libpg-query'
    throw Object.assign(new Error(words), { reason: 'driver_missing' })
  })
  await loadModule()
  parse = parseSync
}

/**
 * The tree as one value, in JSON.
 * @param {RunRequest} request
 * @returns {WorkerResult}
 */
function run({ sql }) {
  return { columns: ['tree'], rows: [[JSON.stringify(parse(sql))]], truncated: false }
}

/**
 * @param {number} id
 * @param {() => WorkerResult | Promise<void>} work
 */
async function answer(id, work) {
  /** @type {WorkerReply} */
  let reply
  try {
    reply = { id, ok: true, result: (await work()) || undefined, isSpent: process.memoryUsage().external > LARGE_MEMORY }
  } catch (error) {
    /** @type {{ reason?: DatabaseReason, name?: string, message: string }} */
    const { reason, name, message } = error instanceof Error ? error : { message: String(error) }
    const isSyntax = name === 'SqlError'
    if (id === OPENING || isSyntax) {
      reply = { id, ok: false, failure: { reason: reason ?? (isSyntax ? 'sql_error' : 'cannot_connect'), words: message } }
    } else {
      // The parser was stopped in the middle, which leaves its memory in disorder: another thread takes over.
      const words = 'The statement is nested too deeply. Write it with fewer parts inside each other.'
      reply = { id, ok: false, failure: { reason: 'too_large', words }, isSpent: true }
    }
  }
  port.postMessage(reply)
}
