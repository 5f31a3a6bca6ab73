/** Corrects the locking of node-sqlite3-wasm, a directory beside the file, inside the thread that imports this file. */
import fs from 'node:fs'

/**
 * node-sqlite3-wasm 0.8.60 never rolls back a commit that a crash interrupted. Before SQLite replays the journal, it asks whether
 * any process holds the write lock. The package answers yes because of the lock directory that SQLite itself has just created.
 * The caller holds that exclusive lock, so the correct answer is always no.
 */
export function replayInterruptedCommits(/** @type {string} */ file) {
  const lock = lockOf(file)
  const access = fs.accessSync
  fs.accessSync = (path, mode) => {
    if (mode === fs.constants.F_OK && path === lock) throw Object.assign(new Error('held by this thread'), { code: 'ENOENT' })
    return access(path, mode)
  }
}

/** The package locks by creating a directory, even for reading. Here a reader respects a writer's directory but creates none. */
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

/** Returns what identifies the file that has this name now. Another file may be renamed to it. */
export function identityOf(/** @type {string} */ file) {
  const { dev, ino } = fs.statSync(file, { bigint: true })
  return `${dev} ${ino}`
}

/**
 * Returns undefined while the lock is held. Otherwise returns values that every commit or a new file changes: SQLite's change counter, the
 * size, the modification time and the inode.
 */
export function stateOfFile(/** @type {string} */ file) {
  const header = Buffer.alloc(28)
  const handle = fs.openSync(file, 'r')
  try {
    fs.readSync(handle, header, 0, 28, 0)
    const { mtimeNs, size, ino } = fs.fstatSync(handle, { bigint: true })
    return fs.existsSync(lockOf(file)) ? undefined : `${header.readUInt32BE(24)} ${size} ${mtimeNs} ${ino}`
  } finally {
    fs.closeSync(handle)
  }
}

function lockOf(/** @type {string} */ file) {
  return `${file}.lock`
}
