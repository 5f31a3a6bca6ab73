/** Worker thread that runs PGlite. Plain JavaScript, so that Node starts it from source as well as from the build. */
import { parentPort, workerData } from 'node:worker_threads'

/**
 * @import { PGlite, protocol } from '@electric-sql/pglite'
 * @import { DatabaseReason } from '../database-error.ts'
 * @import { RunRequest, WorkerReply, WorkerResult } from '../worker/worker-protocol.ts'
 */

if (parentPort === null) throw new Error('pglite-worker.js runs as a worker thread only.')
const port = parentPort
const { folder, setup, committing } = workerData
// The same constant as in worker-protocol.ts, which Node 20 cannot import from JavaScript.
const OPENING = 0
const FIRST_BATCH = 10
const LARGEST_BATCH = 100

/**
 * The fields of PGlite's messages that are read.
 * @typedef {(
 *   | { name: 'rowDescription', fields: readonly { name: string, dataTypeID: number }[] }
 *   | { name: 'dataRow', fields: (string | null)[] }
 *   | { name: 'commandComplete', text: string }
 *   | { name: 'readyForQuery', status: string }
 *   | { name: 'portalSuspended' }
 *   | { name: 'emptyQuery' }
 * )} ProtocolMessage
 */

/** @type {PGlite} */
let database
/** @type {typeof protocol.serialize} */
let serialize
await answer(OPENING, open)
port.on('message', (/** @type {RunRequest} */ request) =>
  answer(request.id, () => (request.kind === 'run' ? run(request) : close())),
)

async function open() {
  const { PGlite, protocol } = await import('@electric-sql/pglite').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    const words = 'The package "@electric-sql/pglite" is not installed. To fix: npm i @electric-sql/pglite'
    throw Object.assign(new Error(words), { reason: 'driver_missing' })
  })
  serialize = protocol.serialize
  database = await PGlite.create(folder)
  if (setup !== undefined) await database.exec(setup)
}

/**
 * Runs one statement in its own transaction and leaves the session clean.
 * @param {RunRequest} request
 * @returns {Promise<WorkerResult>}
 */
async function run(request) {
  await database.exec(request.begin)
  try {
    const result = await readRows(request)
    if (result.status !== 'T') {
      throw Object.assign(new Error('Statements that control transactions are not allowed.'), { reason: 'statement_not_allowed' })
    }
    if (!request.readOnly) Atomics.store(committing, 0, 1)
    await database.exec(request.end)
    return result
  } catch (error) {
    await database.exec('ROLLBACK')
    throw error
  } finally {
    await database.exec(request.clean)
  }
}

/**
 * Reads rows through a portal, as over the wire. A portal takes one statement and stops after each batch of rows. A write runs to
 * its end.
 * @param {RunRequest} request
 */
async function readRows({ sql, values, maxRows, maxBytes, readOnly }) {
  /** @type {(string | null)[][]} */
  const rows = []
  /** @type {readonly { readonly name: string, readonly dataTypeID: number }[]} */
  let fields = []
  let bytes = 0
  let largest = 1
  let returned = 0
  let status = ''
  let command = ''
  let truncated = false
  let message = joinBytes([serialize.parse({ text: sql }), serialize.bind({ values }), serialize.describe({ type: 'P' })])
  for (let isOpen = true; isOpen && !(truncated && readOnly); ) {
    const byBytes = rows.length === 0 ? FIRST_BATCH : Math.ceil((maxBytes - bytes) / largest) + 1
    const wanted = truncated ? LARGEST_BATCH : Math.min(LARGEST_BATCH, byBytes, maxRows + 1 - rows.length)
    const batch = serialize.execute({ rows: Math.max(1, wanted) })
    const reply = await database.execProtocol(joinBytes([message, batch, serialize.sync()]))
    const messages = /** @type {readonly ProtocolMessage[]} */ (/** @type {unknown} */ (reply.messages))
    message = new Uint8Array()
    isOpen = false
    for (const each of messages) {
      if (each.name === 'rowDescription') fields = each.fields
      else if (each.name === 'portalSuspended') isOpen = true
      else if (each.name === 'emptyQuery') throw Object.assign(new Error('The statement is empty.'), { reason: 'sql_error' })
      else if (each.name === 'commandComplete') command = each.text
      else if (each.name === 'readyForQuery') status = each.status
      else if (each.name === 'dataRow') {
        returned++
        if (truncated) continue
        const size = each.fields.reduce((sum, text) => sum + (text?.length ?? 0), 0)
        largest = Math.max(largest, size)
        bytes += size
        if (bytes > maxBytes && rows.length === 0) throw tooLarge(maxBytes)
        truncated = rows.length === maxRows || bytes > maxBytes
        if (!truncated) rows.push(each.fields)
      }
    }
  }
  return {
    columns: fields.map(({ name }) => name),
    types: fields.map(({ dataTypeID }) => dataTypeID),
    rows,
    truncated,
    returned,
    command,
    status,
  }
}

function tooLarge(/** @type {number} */ maxBytes) {
  const words = `One row has more than ${maxBytes} bytes. Select fewer columns, or shorten values with substr().`
  return Object.assign(new Error(words), { reason: 'too_large' })
}

function joinBytes(/** @type {readonly Uint8Array[]} */ parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Ends the thread. Its exit is the reply. */
async function close() {
  try {
    await database?.close()
  } finally {
    process.exit()
  }
}

/**
 * @param {number} id
 * @param {() => Promise<WorkerResult | undefined | void>} work
 */
async function answer(id, work) {
  /** @type {WorkerReply} */
  let reply
  try {
    reply = { id, ok: true, result: (await work()) || undefined }
  } catch (error) {
    /** @type {{ reason?: DatabaseReason, code?: string, message: string }} */
    const { reason, code, message } = error instanceof Error ? error : { message: String(error) }
    const cause = id === OPENING && code === undefined ? 'cannot_connect' : undefined
    reply = { id, ok: false, failure: { reason: reason ?? cause, code, words: message } }
  }
  port.postMessage(reply)
}
