import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { AppendQueue } from './append-queue.ts'
import { journalPaths } from './test-folder.ts'

const newPath = journalPaths()

describe('lines that are appended', () => {
  it('at about the same time share a sync, and keep their order', async () => {
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

  it('all fail after one that failed, since it may be torn', async () => {
    const file = await open(newPath(), 'a')
    await file.close()
    const queue = new AppendQueue(file, true)
    await expect(queue.append('a\n')).rejects.toMatchObject({ code: 'write_failed', cause: expect.anything() })
    await expect(queue.append('b\n')).rejects.toBe(queue.failure)
    await queue.drained()
  })
})
