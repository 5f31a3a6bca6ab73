/** A PostgreSQL server for tests: Debian's, on a free port with a new folder, which can be killed and started again. Gone with the test. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface TestPostgres extends AsyncDisposable {
  readonly url: string
  /** As a machine does that loses its power: no process of the server is told. */
  kill(): Promise<void>
  /** After `kill`: on the same port, with what was in the folder. */
  start(): Promise<void>
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
  const made = spawnSync(join(programs, 'initdb'), ['-D', data, '-U', 'durable', '-A', 'trust', '--no-sync', '-E', 'UTF8'], {
    ...user,
    cwd: folder,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300', 'fsync=off']
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
  const say = async (order: string, answer: string) => {
    const said = hear(keeper, answer)
    keeper.stdin.write(order)
    await said
  }
  const start = () => say('start\n', 'ready to accept connections')
  await start()
  return {
    url: `postgres://durable@127.0.0.1:${port}/postgres`,
    kill: () => say('kill\n', 'server is gone'),
    start,
    async [Symbol.asyncDispose]() {
      const ended = once(keeper, 'exit')
      keeper.stdin.end()
      await ended
    },
  }
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
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function hear(keeper: ChildProcess, words: string): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      said += chunk
      if (said.includes(words)) settle(resolve)
    }
    const onExit = () => settle(() => reject(new Error(`The server did not start: ${said}`)))
    const settle = (end: () => void) => {
      keeper.stderr?.off('data', onData)
      keeper.off('exit', onExit)
      keeper.stderr?.resume()
      end()
    }
    keeper.stderr?.on('data', onData)
    keeper.once('exit', onExit)
  })
}
