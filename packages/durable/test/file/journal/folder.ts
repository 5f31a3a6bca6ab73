/** A folder for the journals of a test file, removed after the tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Returns a new path with each call. */
export function journalPaths(): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let count = 0
  return () => join(folder, `${++count}.journal`)
}
