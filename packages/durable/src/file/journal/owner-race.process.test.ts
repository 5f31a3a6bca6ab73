/** Starts processes that find the owners of many journals dead at the same time. */
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { journalPaths } from '../../../test/file/journal/folder.ts'
import { own } from './owner.ts'

const JOURNALS = 100
const PROCESSES = 4

const newPath = journalPaths()

/** A program that reports which journals it claimed, and keeps them until it is stopped. */
const CONTENDER = `
import { own } from './owner.mjs'
process.once('message', (paths) => {
  const got = paths.filter((path) => {
    try {
      own(path)
      return true
    } catch (error) {
      if (error.code !== 'in_use') throw error
      return false
    }
  })
  process.send(got)
  process.once('message', () => process.disconnect())
})
process.send('ready')
`

/** Bundles the program, because a child process can't run TypeScript. */
async function bundle(folder: string): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve('vite/package.json'))
  const { build } = require('esbuild') as { build(options: object): Promise<unknown> }
  const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'silent', conditions: ['@x/source'] }
  await build({ ...options, entryPoints: [join(import.meta.dirname, 'owner.ts')], outfile: join(folder, 'owner.mjs') })
  const script = join(folder, 'contender.mjs')
  writeFileSync(script, CONTENDER)
  return script
}

async function answerOf(child: ChildProcess, question?: readonly string[]): Promise<unknown> {
  const answer = once(child, 'message')
  if (question !== undefined) child.send(question)
  return (await answer)[0]
}

it('a journal of a dead owner is claimed by exactly one process', async () => {
  const paths = Array.from({ length: JOURNALS }, newPath)
  const script = await bundle(dirname(paths[0] as string))
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  for (const path of paths) {
    const { release } = own(path)
    const owner = JSON.parse(readFileSync(`${path}.owner`, 'utf8'))
    release()
    writeFileSync(`${path}.owner`, JSON.stringify({ ...owner, pid, started: null }))
  }
  const children = Array.from({ length: PROCESSES }, () => fork(script, { stdio: 'inherit' }))
  await Promise.all(children.map((child) => answerOf(child)))
  const got = (await Promise.all(children.map((child) => answerOf(child, paths)))) as string[][]
  const ended = children.map((child) => once(child, 'exit'))
  for (const child of children) child.send('end')
  await Promise.all(ended)
  expect(got.flat().sort()).toEqual([...paths].sort())
})
