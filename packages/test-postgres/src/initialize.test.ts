import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { initialize } from './initialize.ts'

/** Initializes two data folders of one kind and one of another. Returns their contents, and how many were created. */
async function initializeThree(templates: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'initialize-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  vi.stubEnv('X_DATABASE_TEMPLATES', templates && join(folder, templates))
  onTestFinished(() => void vi.unstubAllEnvs())
  if (templates) mkdirSync(join(folder, templates))
  let created = 0
  const contents: string[][] = []
  for (const [index, kind] of ['a', 'a', 'b'].entries()) {
    const data = join(folder, `data-${index}`)
    await initialize(kind, data, () => {
      created++
      mkdirSync(data)
      writeFileSync(join(data, kind), '')
    })
    contents.push(readdirSync(data))
  }
  return { contents, created }
}

it('creates the first folder of each kind, and copies it for the others', async () => {
  expect(await initializeThree('templates')).toEqual({ contents: [['a'], ['a'], ['b']], created: 2 })
})

it('creates each folder without a place for templates', async () => {
  expect(await initializeThree(undefined)).toEqual({ contents: [['a'], ['a'], ['b']], created: 3 })
})
