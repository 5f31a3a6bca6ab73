/** The thread in which SQLite runs. Plain JavaScript, so that Node can start it from source and from the build. */

/**
 * @import { SqlRow } from './sql-client.ts'
 * @import { WorkerReply, WorkerRequest, WorkerSettings } from './worker-protocol.ts'
 */
import fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import sqlite from 'node-sqlite3-wasm'

if (parentPort === null) throw new Error('sqlite-worker.js runs as a worker thread only.')
const port = parentPort
const { file } = /** @type {WorkerSettings} */ (workerData)
// This constant repeats one in worker-protocol.ts, which Node 20 can't import from JavaScript.
const OPENING = 0
const BUSY_TIMEOUT_MS = 2000

replayInterruptedCommits()

/** @type {sqlite.Database | undefined} */
let database
answer(OPENING, () => {
  database = new sqlite.Database(file)
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  // The first read checks that the file is a database, and replays the journal of a crash.
  database.all('SELECT count(*) FROM sqlite_master')
  return []
})

port.on('message', (/** @type {WorkerRequest} */ request) => {
  answer(request.id, () => (request.kind === 'query' ? query(request.sql, request.params) : close()))
})

/**
 * @param {string} sql
 * @param {readonly (string | number | null)[]} params
 */
function query(sql, params) {
  if (database === undefined) throw new Error('The database is not open.')
  const named = Object.fromEntries(params.map((value, index) => [`$${index + 1}`, value]))
  return /** @type {SqlRow[]} */ (database.all(sql, named))
}

/** Closes the database and ends the thread, which serves as the reply. Without `exit`, the thread would end 150 ms later. */
function close() {
  try {
    if (database?.isOpen) database.close()
  } finally {
    process.exit()
  }
  return []
}

/**
 * @param {number} id
 * @param {() => readonly SqlRow[]} work
 */
function answer(id, work) {
  port.postMessage(outcome(id, work))
}

/**
 * @param {number} id
 * @param {() => readonly SqlRow[]} work
 * @returns {WorkerReply}
 */
function outcome(id, work) {
  try {
    return { id, ok: true, rows: work() }
  } catch (error) {
    return { id, ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * node-sqlite3-wasm 0.8.60 never rolls back a commit that a crash interrupted. Before SQLite replays the journal, it asks whether another
 * process holds the write lock. The package always answers yes, because it has just created the lock directory itself. The right answer is
 * always no, because this process holds the exclusive lock. So this function replaces that answer.
 */
function replayInterruptedCommits() {
  const access = fs.accessSync
  fs.accessSync = (path, mode) => {
    if (mode === fs.constants.F_OK && path === `${file}.lock`)
      throw Object.assign(new Error('held by this thread'), { code: 'ENOENT' })
    return access(path, mode)
  }
}
