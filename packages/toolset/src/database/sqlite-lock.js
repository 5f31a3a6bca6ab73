/** What node-sqlite3-wasm locks by, a directory beside the file, put right inside the thread that loads this. */
import fs from 'node:fs'

/**
 * node-sqlite3-wasm 0.8.60 never rolls back a commit that a crash cut short: SQLite asks "does anybody hold the write lock?"
 * before it replays the journal, and the package answers yes because of the lock directory that SQLite itself has just made.
 * Whoever asks holds that lock, and it admits one at a time, so the right answer is always no.
 */
export function replayInterruptedCommits(/** @type {string} */ file) {
  const lock = lockOf(file)
  const access = fs.accessSync
  fs.accessSync = (path, mode) => {
    if (mode === fs.constants.F_OK && path === lock) throw Object.assign(new Error('held by this thread'), { code: 'ENOENT' })
    return access(path, mode)
  }
}

/** The package locks by making a directory, also for reading: a reader respects that of a writer, and makes none itself. */
export function leaveNoLock(/** @type {string} */ file) {
  const lock = lockOf(file)
  const { mkdirSync, rmdirSync } = fs
  fs.mkdirSync = (path, options) => {
    if (path !== lock) return mkdirSync(path, options)
    if (fs.existsSync(lock)) throw Object.assign(new Error('locked by another program'), { code: 'EEXIST' })
    return undefined
  }
  fs.rmdirSync = (path, options) => (path === lock ? undefined : rmdirSync(path, options))
}

/** Undefined while somebody holds the lock, else what every commit changes: SQLite's counter, size and time. */
export function stateOfFile(/** @type {string} */ file) {
  const header = Buffer.alloc(28)
  const handle = fs.openSync(file, 'r')
  try {
    fs.readSync(handle, header, 0, 28, 0)
    const { mtimeNs, size } = fs.fstatSync(handle, { bigint: true })
    return fs.existsSync(lockOf(file)) ? undefined : `${header.readUInt32BE(24)} ${size} ${mtimeNs}`
  } finally {
    fs.closeSync(handle)
  }
}

function lockOf(/** @type {string} */ file) {
  return `${file}.lock`
}
