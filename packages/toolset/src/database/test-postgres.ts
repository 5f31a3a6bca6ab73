/** A PostgreSQL server for tests: Debian's, started on a free port with a new folder, and gone with the test, also one that is killed. */
import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export interface TestPostgres extends AsyncDisposable {
  readonly url: string
}

/** Why the tests that need a server are skipped; empty where there is one. */
export const POSTGRES_MISSING = findPrograms() === undefined ? 'no PostgreSQL is installed here' : ''

/** Rejects with what the server said when it does not start. */
export async function startPostgres(): Promise<TestPostgres> {
  const programs = findPrograms()
  if (programs === undefined) throw new Error(POSTGRES_MISSING)
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  // The server refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const made = spawnSync(join(programs, 'initdb'), ['-D', data, '-U', 'tester', '-A', 'trust', '--no-sync', '-E', 'UTF8'], {
    ...user,
    cwd: folder,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
  const keeper = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('test-postgres-keeper.js', import.meta.url)),
      folder,
      join(programs, 'postgres'),
      String(user.uid ?? ''),
      String(user.gid ?? ''),
      ...['-D', data, '-p', String(port)],
      ...settings.flatMap((each) => ['-c', each]),
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  )
  await untilReady(keeper)
  const stop = async () => {
    const ended = new Promise((settle) => keeper.once('exit', settle))
    keeper.stdin.end()
    await ended
  }
  return { url: `postgres://tester@127.0.0.1:${port}/postgres`, [Symbol.asyncDispose]: stop }
}

/** The folder of the newest version that Debian installed. */
function findPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const folders = readdirSync(root).sort((a, b) => Number(b) - Number(a))
  return folders.map((version) => join(root, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')))
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const { port } = server.address() as AddressInfo
  await new Promise((settle) => server.close(settle))
  return port
}

function untilReady(server: ChildProcessByStdio<Writable, null, Readable>): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    server.stderr.on('data', (chunk) => {
      said += chunk
      if (said.includes('ready to accept connections')) resolve()
    })
    server.once('exit', () => reject(new Error(`The server did not start: ${said}`)))
  })
}
