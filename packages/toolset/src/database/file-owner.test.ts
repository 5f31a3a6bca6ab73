import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { isRunning, markOf } from '@x/file-owner'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { failure } from '../../test/database/contract.ts'
import { openPostgres } from '../postgres.ts'
import { openSqlite } from '../sqlite.ts'
import { ownFile, ownFolder } from './file-owner.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolset-owner-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('leaves a file to a program in another container, whose processes it cannot see, and explains how to free the file', async () => {
  const file = join(folder, 'shared.sqlite')
  const gone = { ...markOf(2 ** 22), host: 'elsewhere pid:[1]' }
  writeFileSync(`${file}.owner`, JSON.stringify(gone))
  const error = await ownFile(file, { waitMs: 0 }).catch((thrown) => thrown)
  expect(error).toMatchObject({
    ...failure('busy'),
    message: expect.stringContaining('delete the owner file beside it, which has the same name plus ".owner"'),
  })
  expect(error.message).not.toContain(folder)
  expect(existsSync(`${file}.owner`)).toBe(true)
  rmSync(`${file}.owner`)
  const release = await ownFile(file, { waitMs: 0 })
  release.done()
  expect(existsSync(`${file}.owner`)).toBe(false)
})

it('takes over a file from a program on this machine that has ended', async () => {
  const file = join(folder, 'left.sqlite')
  writeFileSync(`${file}.owner`, JSON.stringify({ ...markOf(process.pid), started: '1' }))
  const release = await ownFile(file, { waitMs: 0 })
  release.done()
})

/** A process that has ended. A later process with the same id has started at another time. */
const dead = () => ({ ...markOf(spawnSync(process.execPath, ['-e', '']).pid), started: '1' })
const makeOld = (path: string) => utimesSync(path, Date.now() / 1000 - 60, Date.now() / 1000 - 60)

describe.skipIf(process.platform === 'win32').each<[string, (path: string) => void]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
  ['a link to nothing', (path) => symlinkSync(join(folder, 'made'), path)],
  ['a directory', (path) => mkdirSync(path)],
])('%s in place of an owner file', (kind, make) => {
  it.each(['', '.takeover'])('is neither awaited, read nor removed: "%s"', async (end) => {
    const path = join(folder, `${kind}${end}`)
    if (end !== '') writeFileSync(`${path}.owner`, JSON.stringify(dead()))
    const odd = `${path}.owner${end}`
    make(odd)
    // Reading would hang, because a pipe has no writer yet and a device never ends.
    for (const [what, own] of Object.entries({ file: ownFile, folder: ownFolder })) {
      const error = await own(path, { waitMs: 0 }).catch((thrown) => thrown)
      const message = expect.stringMatching(new RegExp(`^The database ${what} cannot be used: .* not a regular file`))
      expect(error).toMatchObject({ ...failure('cannot_connect'), message })
      expect(error.message).not.toContain(folder)
    }
    expect(existsSync(join(folder, 'made'))).toBe(false)
    rmSync(odd, { recursive: true })
    const release = await ownFile(path, { waitMs: 0 })
    release.done()
  })
})

it('keeps the guard of a suspended process, however old, and removes the guard of a process that has ended', async () => {
  const file = join(folder, 'guarded.sqlite')
  const guard = `${file}.owner.takeover`
  writeFileSync(`${file}.owner`, JSON.stringify(dead()))
  writeFileSync(guard, JSON.stringify(markOf(process.ppid)))
  makeOld(guard)
  for (let tries = 0; tries < 3; tries++) await expect(ownFile(file, { waitMs: 0 })).rejects.toMatchObject(failure('busy'))
  expect(JSON.parse(readFileSync(guard, 'utf8'))).toEqual(markOf(process.ppid))
  writeFileSync(guard, JSON.stringify(dead()))
  const first = await ownFile(file, { waitMs: 0 })
  first.done()
  // A process was killed while it wrote this file.
  writeFileSync(`${file}.owner`, JSON.stringify(dead()))
  writeFileSync(guard, '')
  await expect(ownFile(file, { waitMs: 0 })).rejects.toMatchObject(failure('busy'))
  makeOld(guard)
  const second = await ownFile(file, { waitMs: 0 })
  second.done()
  expect(existsSync(guard)).toBe(false)
})

it('keeps the lock of another program, however old, because that program may only be suspended', async () => {
  const file = join(folder, 'locked.sqlite')
  mkdirSync(`${file}.lock`)
  makeOld(`${file}.lock`)
  const release = await ownFile(file, { waitMs: 0 })
  release.done()
  expect(existsSync(`${file}.lock`)).toBe(true)
  const error = await openSqlite({ file, readOnly: false, waitMs: 50 }).catch((thrown) => thrown)
  expect(error).toMatchObject({
    message: expect.stringContaining('delete the directory beside it that has the same name plus ".lock"'),
  })
})

it.skipIf(process.platform !== 'linux')(
  'treats a process that has ended as gone, even if its parent never waits for it',
  async () => {
    // The shell turns into a program that waits for no child. Only then does its child end.
    const parent = spawn('sh', ['-c', '(read line) <&3 & echo $!; exec sleep infinity'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    onTestFinished(() => void parent.kill())
    const [line] = (await once(parent.stdout as Readable, 'data')) as [Buffer]
    const pid = Number(line.toString().trim())
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
    ;(parent.stdio[3] as Writable).end('\n')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ')
    expect(isRunning({ ...markOf(process.pid), pid, started: null })).toBe(false)
  },
)

it.each([
  ['waitMs', () => openSqlite({ file: join(folder, 'never.sqlite'), waitMs: 2 ** 31 })],
  ['connectMs', () => openPostgres({ url: 'postgres://nowhere', connectMs: 2 ** 31 })],
  ['maxConnections', () => openPostgres({ url: 'postgres://nowhere', maxConnections: 0 })],
])('refuses an invalid limit: %s', async (name, open) => {
  await expect(open()).rejects.toMatchObject({ code: 'invalid_definition', message: expect.stringContaining(name) })
})
