/** Worker thread that runs SQLite. Plain JavaScript, so that Node starts it from source as well as from the build. */
import { parentPort, workerData } from 'node:worker_threads'
import { identityOf, leaveNoLock, replayInterruptedCommits, stateOfFile } from './sqlite-lock.js'

/**
 * @import { Database, default as sqlite } from 'node-sqlite3-wasm'
 * @import { DatabaseReason } from '../database-error.ts'
 * @import { RunRequest, WorkerReply, WorkerResult } from '../worker/worker-protocol.ts'
 */

if (parentPort === null) throw new Error('sqlite-worker.js runs as a worker thread only.')
const port = parentPort
const { file, readOnly, setup, waitMs, committing } = workerData
const isInMemory = file === ':memory:'
// The same constant as in worker-protocol.ts, which Node 20 cannot import from JavaScript.
const OPENING = 0
const READ_ATTEMPTS = 5
const LARGE_MEMORY = 2 ** 27

/** An error with a reason for programs. */
class Refusal extends Error {
  /**
   * @param {DatabaseReason} reason
   * @param {string} words
   */
  constructor(reason, words) {
    super(words)
    this.reason = reason
  }
}

/** @type {Database | undefined} */
let reader
/** @type {Database | undefined} */
let writer
/** @type {typeof sqlite} */
let driver
/** The file that the reader has opened. */
let identity = ''
if (readOnly) leaveNoLock(file)
else replayInterruptedCommits(file)
await answer(OPENING, open)
port.on('message', (/** @type {RunRequest} */ request) =>
  answer(request.id, () => (request.kind === 'run' ? run(request) : close())),
)

async function open() {
  const imported = await import('node-sqlite3-wasm').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Refusal('driver_missing', 'The package "node-sqlite3-wasm" is not installed. To fix: npm i node-sqlite3-wasm')
  })
  driver = imported.default
  if (!readOnly || isInMemory) writer = connect(new driver.Database(file))
  if (setup !== undefined) writer?.exec(setup)
  // In memory each connection has its own database, so one connection does both.
  if (isInMemory) reader = writer
  else openReader(identityOf(file))
}

function openReader(/** @type {string} */ found) {
  reader = connect(new driver.Database(file, { readOnly: true }))
  identity = found
}

/** Opens the file again if another one was renamed to its name, because the reader would read the old one forever. */
function followFile() {
  try {
    const found = identityOf(file)
    if (found === identity) return
    if (reader?.isOpen) reader.close()
    openReader(found)
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    const words = code === 'ENOENT' ? 'it does not exist any more' : `it was replaced: ${message}`
    throw new Refusal('cannot_connect', `The database file cannot be used: ${words}.`)
  }
}

function connect(/** @type {Database} */ database) {
  database.exec(`PRAGMA busy_timeout = ${waitMs}`)
  // The first read checks that the file is a database, and replays a journal that a crash left.
  database.all('SELECT count(*) FROM sqlite_master')
  return database
}

/**
 * @param {RunRequest} request
 * @returns {WorkerResult}
 */
function run(request) {
  if (!request.readOnly) {
    if (readOnly) throw new Refusal('read_only_violation', 'The database is open read-only.')
    return inTransaction(writer, request)
  }
  if (!readOnly || isInMemory) return inTransaction(reader, request)
  // Takes no lock, so no lock can be left behind. If another program changes the file meanwhile, it is read again.
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
    followFile()
    const before = stateOfFile(file)
    const isUnchanged = () => before !== undefined && before === stateOfFile(file)
    try {
      const result = inTransaction(reader, request)
      if (isUnchanged()) return result
    } catch (error) {
      // A read during another program's change may look like damage.
      if (before === undefined || isUnchanged()) throw error
    }
  }
  throw new Refusal('busy', 'Another program kept changing the database. Try again.')
}

/**
 * Runs one statement in its own transaction. A reader's transaction is never committed.
 * @param {Database | undefined} database
 * @param {RunRequest} request
 * @returns {WorkerResult}
 */
function inTransaction(database, request) {
  if (database === undefined) throw new Error('The database is not open.')
  if (database.inTransaction) database.exec('ROLLBACK')
  database.exec(`PRAGMA query_only = ${request.readOnly ? 1 : 0}`)
  database.exec(request.readOnly ? 'BEGIN' : 'BEGIN IMMEDIATE')
  try {
    if (!request.isExplained) checkProgram(database, request)
    const before = request.readOnly ? 0 : changesOf(database).total
    const result = readRows(database, request)
    if (!database.inTransaction) throw notAllowed()
    if (request.readOnly) return result
    const { total, own } = changesOf(database)
    Atomics.store(committing, 0, 1)
    database.exec('COMMIT')
    return { ...result, changes: total === before ? 0 : own }
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK')
  }
}

const STEERING = new Set(['AutoCommit', 'Savepoint', 'Vacuum', 'IncrVacuum', 'JournalMode', 'Checkpoint'])
/** What SQLite compiles `CREATE TABLE IF NOT EXISTS` to if the table exists: it only reads the journal mode. */
const READS_MODE = -1

/**
 * Checks what a statement would do in the program that SQLite compiles, because the text could be written in a way that hides it.
 * @param {Database} database
 * @param {RunRequest} request
 */
function checkProgram(database, { sql, readOnly: isReading }) {
  for (const { opcode, p2, p3, p4 } of database.all(`EXPLAIN ${sql}`)) {
    const isSteering = STEERING.has(String(opcode)) && !(opcode === 'JournalMode' && p3 === READS_MODE)
    if (isSteering || /^sqlite_(at|de)tach/.test(String(p4))) throw notAllowed()
    if (isReading && opcode === 'Transaction' && p2 !== 0) {
      throw new Refusal('read_only_violation', 'The statement changes data. Only statements that read are allowed here.')
    }
  }
}

/**
 * @param {Database} database
 * @param {RunRequest} request
 * @returns {WorkerResult}
 */
function readRows(database, { sql, params, maxRows, maxBytes, readOnly: isReading }) {
  /** The cast adds the method that is overridden below. */
  const statement = /** @type {import('node-sqlite3-wasm').Statement & { _getColumnNames(): string[] }} */ (database.prepare(sql))
  try {
    // A PRAGMA takes effect when it is prepared.
    if (isReading && database.get('PRAGMA query_only')?.query_only !== 1) throw notAllowed()
    const columns = statement._getColumnNames()
    // The driver returns an object for each row. Keyed by position, both of two columns with the same name are kept.
    statement._getColumnNames = () => columns.map((_, index) => String(index))
    /** @type {import('../sql-client.ts').SqlValue[][]} */
    const rows = []
    let bytes = 0
    for (const row of statement.iterate(params)) {
      const values = Object.values(row)
      for (const value of values) bytes += sizeOf(value)
      if (bytes > maxBytes && rows.length === 0) throw tooLarge(bytes, maxBytes)
      if (rows.length === maxRows || bytes > maxBytes) return { columns, rows, truncated: true }
      rows.push(values)
    }
    return { columns, rows, truncated: false }
  } finally {
    statement.finalize()
  }
}

function sizeOf(/** @type {unknown} */ value) {
  return typeof value === 'string' ? value.length : value instanceof Uint8Array ? value.byteLength : 8
}

function tooLarge(/** @type {number} */ bytes, /** @type {number} */ maxBytes) {
  const words = `One row has ${bytes} bytes, more than ${maxBytes}. Select fewer columns, or shorten values with substr().`
  return new Refusal('too_large', words)
}

/** Without the rows that triggers and foreign keys change, `own` counts those of the last statement that changed rows. */
function changesOf(/** @type {Database} */ database) {
  const { total, own } = database.get('SELECT total_changes() AS total, changes() AS own') ?? {}
  return { total: Number(total), own: Number(own) }
}

function notAllowed() {
  return new Refusal('statement_not_allowed', 'Statements that control transactions or the session are not allowed.')
}

/** Ends the thread. Its exit is the reply. A thread that ends by itself takes 150 ms longer. */
function close() {
  try {
    for (const database of new Set([reader, writer])) if (database?.isOpen) database.close()
  } finally {
    process.exit()
  }
}

/**
 * @param {number} id
 * @param {() => WorkerResult | undefined | Promise<undefined | void> | void} work
 */
async function answer(id, work) {
  /** @type {WorkerReply} */
  let reply
  try {
    reply = { id, ok: true, result: (await work()) || undefined, isSpent: isSpent() }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    reply = { id, ok: false, failure: { reason: reasonOf(error, words), words }, isSpent: isSpent() }
  }
  port.postMessage(reply)
}

/** WebAssembly memory never shrinks, so a thread that used a lot is replaced, unless its database is in memory. */
function isSpent() {
  return !isInMemory && process.memoryUsage().external > LARGE_MEMORY
}

/**
 * @param {unknown} error
 * @param {string} words
 * @returns {DatabaseReason}
 */
function reasonOf(error, words) {
  if (error instanceof Refusal) return error.reason
  if (words.includes('readonly database')) return 'read_only_violation'
  if (words.startsWith('no such table') || words.startsWith('no such column')) return 'unknown_identifier'
  return words.includes('is locked') ? 'busy' : 'sql_error'
}
