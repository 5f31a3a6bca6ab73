import { mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isToolError } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { type Folder, filesIn, makeFolder, NO_LINKS, SECRET, WAYS } from '../../../test/filesystem/files.ts'
import { codeOf } from '../errors.ts'
import { putFile } from '../operations/put.ts'
import { parsePath } from '../path.ts'
import { readWhole, withFile } from './file.ts'

const TRIES = process.env.X_FULL ? 200 : 40
const signal = new AbortController().signal

/**
 * Creates a directory `root/d` with `out.txt`, and `outside` with `out.txt` and `s.txt`. `swap` replaces `root/d` with a link to `outside`,
 * and `restore` undoes that. Neither is atomic: a call may find no `d` in between and create one. That one is then moved aside within the
 * root.
 */
function swappable(folder: Folder) {
  const [d, kept, outside] = [join(folder.root, 'd'), join(folder.root, 'kept'), join(folder.base, 'outside')]
  mkdirSync(d)
  writeFileSync(join(d, 'out.txt'), 'inside')
  writeFileSync(join(outside, 's.txt'), SECRET)
  let made = 0
  const place = (put: () => void) => {
    for (;;) {
      try {
        return put()
      } catch (error) {
        if (!['EEXIST', 'ENOTEMPTY'].includes(String(codeOf(error)))) throw error
        renameSync(d, join(folder.root, `made-${++made}`))
      }
    }
  }
  return {
    swap() {
      renameSync(d, kept)
      place(() => symlinkSync(outside, d))
    },
    restore() {
      unlinkSync(d)
      place(() => renameSync(kept, d))
    },
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}

/** Returns the value, or the reason of a `ToolError`. Throws any other error. */
async function settle<T>(work: Promise<T>): Promise<T | string | undefined> {
  try {
    return await work
  } catch (error) {
    if (isToolError(error) && error.reason !== undefined) return error.reason
    throw error
  }
}

describe.skipIf(NO_LINKS !== '').each(WAYS)(`a directory that is swapped for a link${NO_LINKS}, $way`, ({ byPath }) => {
  it(`returns nothing from outside when swapped between check and use, ${TRIES} times`, async () => {
    const folder = makeFolder()
    const { swap, restore } = swappable(folder)
    const { jail } = filesIn(folder.root, { byPath })
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const read = jail.within(parsePath('d/out.txt'), async (entry) => {
        swap()
        return withFile(jail, entry, async (file) => String(await readWhole(file, 'd/out.txt', { maxBytes: 1000, signal })))
      })
      const result = await settle(read)
      restore()
      expect(result).toBe(byPath ? 'path_outside_root' : 'inside')
    }
  })

  it(`changes nothing outside when swapped between check and use, ${TRIES} times`, async () => {
    const folder = makeFolder()
    const { swap, restore } = swappable(folder)
    const { jail } = filesIn(folder.root, { byPath })
    const before = folder.outside()
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const write = jail.within(parsePath('d/out.txt'), async (entry) => {
        swap()
        return putFile(jail, entry, { overwrite: true, signal }, (handle) => handle.writeFile(`inside ${attempt}`))
      })
      const result = await settle(write)
      restore()
      expect(result).toBe(byPath ? 'path_outside_root' : false)
      expect(readFileSync(join(folder.root, 'd/out.txt'), 'utf8')).toBe(byPath ? 'inside' : `inside ${attempt}`)
    }
    expect(folder.outside()).toEqual(before)
  })

  it(`changes nothing outside when swapped while a file is written, ${TRIES} times`, async () => {
    const folder = makeFolder()
    const { swap, restore } = swappable(folder)
    const { jail } = filesIn(folder.root, { byPath })
    const before = folder.outside()
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const write = jail.within(parsePath('d/new.txt'), (entry) =>
        putFile(jail, entry, { overwrite: true, signal }, async (handle) => {
          await handle.writeFile('new')
          swap()
        }),
      )
      const result = await settle(write)
      restore()
      if (byPath) expect(result).toBe('path_outside_root')
    }
    expect(folder.outside()).toEqual(before)
  })

  it(`returns, imports and changes nothing from outside when swapped at any moment of a call, ${TRIES} times`, async () => {
    const folder = makeFolder()
    const { swap, restore } = swappable(folder)
    const files = filesIn(folder.root, { byPath })
    const before = folder.outside()
    const calls: readonly (() => Promise<unknown>)[] = [
      () => files.read('d/out.txt'),
      () => files.search('s', 'd'),
      () => files.list('d', true),
      () => files.stat('d/out.txt'),
      () => files.write('d/out.txt', 'inside', 'replace'),
      () => files.write('d/out.txt', '', 'append'),
      () => files.write('d/deep/new.txt', 'inside', 'replace'),
      () => files.copy('d/out.txt', 'copied', true),
    ]
    const step = 200 / TRIES
    for (const call of calls) {
      for (let moment = 0; moment < 200 / calls.length; moment += step) {
        const result = settle(call())
        await turns(moment)
        swap()
        expect(JSON.stringify((await result) ?? null)).not.toMatch(`${SECRET}|s.txt`)
        expect(folder.outside()).toEqual(before)
        restore()
      }
    }
    expect(await files.search(SECRET)).toMatchObject({ matches: [], skipped: 0, truncated: false })
  })
})

const NO_DESCRIPTORS = WAYS.some(({ byPath }) => !byPath) ? '' : ' (skipped: descriptors have no paths here)'

describe.skipIf(NO_LINKS + NO_DESCRIPTORS !== '')(
  `a directory that is swapped back and forth${NO_LINKS}${NO_DESCRIPTORS}`,
  () => {
    it(`returns and changes nothing from outside during any calls, ${TRIES} times`, async () => {
      const folder = makeFolder()
      const { swap, restore } = swappable(folder)
      const files = filesIn(folder.root)
      const before = folder.outside()
      let isOver = false
      const results: unknown[] = []
      const work = async (call: () => Promise<unknown>) => {
        while (!isOver) results.push(await settle(call()))
      }
      const workers = [
        work(() => files.read('d/out.txt')),
        work(() => files.search('s', 'd')),
        work(() => files.list('d', true)),
        work(() => files.write('d/out.txt', 'inside', 'replace')),
        work(() => files.write('d/a/b/new.txt', 'inside', 'replace')),
        work(() => files.copy('d/out.txt', 'd/a/copied', true)),
        work(() => files.move('d/out.txt', 'moved', true)),
        work(() => files.move('moved', 'd/moved', true)),
        work(() => files.remove('d/moved')),
        work(() => files.remove('d/a', true)),
        work(() => files.remove('d/s.txt')),
      ]
      try {
        // Differs each time, so that swaps happen between any two steps of the work.
        for (let count = 0; count < TRIES || results.length <= workers.length; count++) {
          swap()
          await turns(1 + (count % 7))
          restore()
          await turns(1 + (count % 5))
        }
      } finally {
        isOver = true
        await Promise.all(workers)
      }
      expect(JSON.stringify(results)).not.toMatch(`${SECRET}|s.txt`)
      expect(folder.outside()).toEqual(before)
    })
  },
)
