/** Worker thread that runs PostgreSQL's parser. SQL that takes too long or exhausts the stack costs only this thread. */
import { parentPort } from 'node:worker_threads'

/**
 * @import { DatabaseReason } from '../database-error.ts'
 * @import { RunRequest, WorkerReply, WorkerResult } from '../worker/worker-protocol.ts'
 */

if (parentPort === null) throw new Error('postgres-parser-worker.js runs as a worker thread only.')
const port = parentPort
// The same constant as in worker-protocol.ts, which Node 20 cannot import from JavaScript.
const OPENING = 0
/** The parser reserves half of this memory when it starts. */
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
 * Returns the syntax tree as JSON, in a single value.
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
      // The parser stopped in the middle, which corrupts its memory. Another thread takes over.
      const words = 'The statement is nested too deeply. Use fewer nested expressions and subqueries.'
      reply = { id, ok: false, failure: { reason: 'too_large', words }, isSpent: true }
    }
  }
  port.postMessage(reply)
}
