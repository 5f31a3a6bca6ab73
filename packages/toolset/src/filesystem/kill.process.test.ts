import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { filesIn, makeFolder } from '../../test/filesystem/files.ts'
import { isTemporaryName } from './jail/temporary.ts'

const LEFT = 3
const SIZE = 1_000_000

/** A script that writes a file without end. Each time, the content is another letter, repeated to the length of the file. */
const WRITER = `
import { FileSystemToolset } from './toolset.mjs'
const files = new FileSystemToolset({ root: process.argv[2] })
for (let round = 0; ; round++) {
  await files.write({ path: 'file', text: String.fromCharCode(97 + (round % 26)).repeat(${SIZE}), mode: 'replace' })
}
`

/** Bundles the toolset, because a child process can't run TypeScript. */
async function bundle(folder: string): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve('vite/package.json'))
  const { build } = require('esbuild') as { build(options: object): Promise<unknown> }
  const script = join(folder, 'writer.mjs')
  writeFileSync(script, WRITER)
  await build({
    entryPoints: [join(import.meta.dirname, '../filesystem.ts')],
    outfile: join(folder, 'toolset.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@x/source'],
    logLevel: 'silent',
  })
  return script
}

/** Kills the process as soon as an unfinished file exists. */
async function killInMidWrite(script: string, root: string): Promise<void> {
  const before = unfinished(root).length
  const child = spawn(process.execPath, [script, root], { stdio: 'ignore' })
  const exited = new Promise((settle) => child.once('exit', (...how) => settle(how)))
  // Only a listing shows an unfinished file. If the file has gone in the meantime, the loop tries again.
  while (unfinished(root).length === before && child.exitCode === null && child.signalCode === null) await wait(1)
  child.kill('SIGKILL')
  expect(await exited).toEqual([null, 'SIGKILL'])
}

function unfinished(root: string): readonly string[] {
  return readdirSync(root).filter(isTemporaryName)
}

describe('a killed writer', () => {
  it(`leaves a complete file and nothing that a list shows, after ${LEFT} interrupted writes`, async () => {
    const { base, root } = makeFolder()
    const files = filesIn(root)
    await files.write('file', 'a'.repeat(SIZE))
    const script = await bundle(base)
    while (unfinished(root).length < LEFT) {
      await killInMidWrite(script, root)
      const text = readFileSync(join(root, 'file'), 'utf8')
      expect(text.length).toBe(SIZE)
      expect(text).toBe((text[0] as string).repeat(SIZE))
      expect((await files.list()).entries).toEqual([{ path: 'file', type: 'file', size: SIZE }])
    }
    await files.write('file', 'as before', 'replace')
    expect(await files.read('file')).toMatchObject({ text: 'as before' })
  })

  it('leaves a file that cannot be read, and that is deleted with its directory', async () => {
    const { root } = makeFolder()
    const files = filesIn(root)
    await files.write('d/file', 'text')
    const name = `.x-write-${'0'.repeat(24)}.tmp`
    writeFileSync(join(root, 'd', name), 'half')
    await expect(files.read(`d/${name}`)).rejects.toMatchObject({ reason: 'protected' })
    expect(await files.search('half')).toMatchObject({ matches: [] })
    await files.remove('d/file')
    expect(await files.list('d')).toMatchObject({ entries: [] })
    expect(await files.remove('d')).toBe(1)
    expect(readdirSync(root)).toEqual([])
  })
})
