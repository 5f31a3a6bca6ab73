import { readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { journalPaths } from '../../../test/file/journal/folder.ts'
import { AppendQueue } from './append-queue.ts'

const newPath = journalPaths()

describe('appended lines', () => {
  it('share a sync when they are concurrent, and keep their order', async () => {
    const path = newPath()
    await using file = await open(path, 'a')
    let syncs = 0
    const counted = Object.assign(Object.create(file) as typeof file, {
      appendFile: (text: string) => file.appendFile(text),
      datasync: () => {
        syncs++
        return file.datasync()
      },
    })
    const queue = new AppendQueue(counted, true)
    await Promise.all(Array.from({ length: 100 }, (_, index) => queue.append(`${index}\n`)))
    expect(readFileSync(path, 'utf8')).toBe(Array.from({ length: 100 }, (_, index) => `${index}\n`).join(''))
    expect(syncs).toBe(1)
  })

  it('are rewritten completely after the disk was full, if requested', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const path = newPath()
    await using file = await open(path, 'a')
    const disk = fullDisk(file)
    const queue = new AppendQueue(disk.file, true)
    await queue.append('first\n')
    const problems: unknown[] = []
    queue.keepTrying((problem) => problems.push(problem))
    disk.isFull = true
    const both = Promise.all([queue.append('second\n'), queue.append('third\n')])
    for (const [tries, ms] of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000].entries()) {
      // `poll` would advance the fake time.
      while (problems.length <= tries) await new Promise(setImmediate)
      expect(queue.problem).toMatchObject({ code: 'write_failed', message: expect.stringContaining('ENOSPC') })
      await vi.advanceTimersByTimeAsync(ms - 1)
      expect(problems.length).toBe(tries + 1)
      disk.isFull = ms < 60_000
      await vi.advanceTimersByTimeAsync(1)
    }
    await both
    expect(queue.problem).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toBe('first\nsecond\nthird\n')
  })

  it('fail at once after giveUp, with one more attempt', async () => {
    const path = newPath()
    await using file = await open(path, 'a')
    const disk = fullDisk(file)
    const queue = new AppendQueue(disk.file, true)
    let reports = 0
    queue.keepTrying(() => reports++)
    disk.isFull = true
    const [one, other] = [queue.append('one\n'), queue.append('other\n')]
    await expect.poll(() => reports).toBe(1)
    queue.giveUp()
    await expect(one).rejects.toMatchObject({ code: 'write_failed' })
    await expect(other).rejects.toBe(queue.failure)
    await queue.drained()
    expect(reports).toBe(1)
  })

  it('all fail after one that failed, because it may be torn', async () => {
    const file = await open(newPath(), 'a')
    await file.close()
    const queue = new AppendQueue(file, true)
    await expect(queue.append('a\n')).rejects.toMatchObject({ code: 'write_failed', cause: expect.anything() })
    await expect(queue.append('b\n')).rejects.toBe(queue.failure)
    await queue.drained()
  })
})

/** Wraps a file as if its disk wrote only half of the data while it is full. */
function fullDisk(file: FileHandle): { readonly file: FileHandle; isFull: boolean } {
  const disk = {
    isFull: false,
    file: Object.assign(Object.create(file) as FileHandle, {
      async appendFile(text: string) {
        await file.appendFile(disk.isFull ? text.slice(0, text.length / 2) : text)
        if (disk.isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })
      },
      datasync: () => file.datasync(),
      truncate: (length: number) => file.truncate(length),
    }),
  }
  return disk
}
