/** A move while another process saves the file. Like an editor, that process writes a new file and renames it over the old one. */
import fs, { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { filesIn, makeFolder, WAYS } from '../../../test/filesystem/files.ts'

/** Calls to the file system between which another process may act. */
const SYNC = ['linkSync', 'lstatSync', 'renameSync', 'unlinkSync'] as const
const ASYNC = ['link', 'lstat', 'open', 'realpath', 'rename', 'stat', 'unlink'] as const

/** Calls `act` before each of these calls, with the number of the call. */
function beforeEachCall(act: (index: number) => void): { readonly count: number; restore(): void } {
  const originals = { sync: { ...fs }, promises: { ...fsPromises } }
  let [count, isActing] = [0, false]
  const watched = (call: unknown) =>
    function (this: unknown, ...args: unknown[]) {
      if (!isActing) {
        isActing = true
        act(count++)
        isActing = false
      }
      return (call as (...args: unknown[]) => unknown).apply(this, args)
    }
  for (const name of SYNC) Object.assign(fs, { [name]: watched(originals.sync[name]) })
  for (const name of ASYNC) Object.assign(fsPromises, { [name]: watched(originals.promises[name]) })
  syncBuiltinESMExports()
  const restore = () => {
    for (const name of SYNC) Object.assign(fs, { [name]: originals.sync[name] })
    for (const name of ASYNC) Object.assign(fsPromises, { [name]: originals.promises[name] })
    syncBuiltinESMExports()
  }
  onTestFinished(restore)
  return {
    get count() {
      return count
    },
    restore,
  }
}

/** Maximum number of calls between two saves. */
const PAIRS = process.env.X_FULL ? Infinity : 2

interface Case {
  readonly overwrite: boolean
  /** Name under which the other process saves. */
  readonly saved: 'from' | 'to'
}

const CASES: readonly Case[] = [
  { overwrite: false, saved: 'from' },
  { overwrite: false, saved: 'to' },
  { overwrite: true, saved: 'from' },
]

describe.each(WAYS)('a move, $way', ({ byPath }) => {
  async function moveWithSaves({ overwrite, saved }: Case, saves: ReadonlySet<number>) {
    const { base, root } = makeFolder()
    const files = filesIn(root, { byPath })
    writeFileSync(join(root, 'from'), 'version 0')
    let version = 0
    const calls = beforeEachCall((index) => {
      if (!saves.has(index)) return
      writeFileSync(join(base, 'new'), `version ${++version}`)
      renameSync(join(base, 'new'), join(root, saved))
    })
    const reason = await files.move('from', 'to', overwrite).then(
      () => undefined,
      (error) => error.reason,
    )
    calls.restore()
    const contents = readdirSync(root).map((name) => readFileSync(join(root, name), 'utf8'))
    return { root, reason, contents, newest: `version ${version}`, count: calls.count }
  }

  it.each(CASES)('never loses the newest version, whenever it is saved: %j', async (changed) => {
    const { count } = await moveWithSaves(changed, new Set())
    expect(count).toBeGreaterThan(2)
    for (let first = 0; first < count; first++) {
      for (let second = first; second < Math.min(count, first + PAIRS); second++) {
        const { contents, newest, reason } = await moveWithSaves(changed, new Set([first, second]))
        expect(contents, `saved before the calls ${first} and ${second}`).toContain(newest)
        // A failed move removes nothing. A successful move leaves a file under the new name.
        if (changed.saved === 'to') expect(contents.length).toBe(reason === undefined ? 1 : 2)
        expect([undefined, 'already_exists']).toContain(reason)
      }
    }
  })

  it('leaves under the first name only a version that was saved after it', async () => {
    const found = new Set<string>()
    const { count } = await moveWithSaves({ overwrite: false, saved: 'from' }, new Set())
    for (let call = 0; call < count; call++) {
      const { root, contents } = await moveWithSaves({ overwrite: false, saved: 'from' }, new Set([call]))
      expect([['from', 'to'], ['to']]).toContainEqual(readdirSync(root))
      found.add(contents.join())
    }
    expect(found).toContain('version 1,version 0')
  })
})
