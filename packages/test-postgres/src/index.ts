/**
 * Starts Debian's PostgreSQL for tests, on a free port and with a new data folder. The server stops when the test process ends, for
 * whatever reason.
 */
import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { initialize } from './initialize.ts'

export { initialize }

/**
 * How a server ends. PostgreSQL defines `fast` and `immediate`. `killed` kills all of its processes, like a power failure. Source:
 * https://www.postgresql.org/docs/current/server-shutdown.html
 */
export type PostgresEnd = 'fast' | 'immediate' | 'killed'

export interface TestPostgres extends AsyncDisposable {
  /** Address of the server, with the superuser `tester` and the database `postgres`. */
  readonly url: string
  /** Resolves when all processes of the server have ended. */
  end(how: PostgresEnd): Promise<void>
  /** Starts the server again after its end, on the same port and with the same folder. */
  start(): Promise<void>
}

/** Why tests that need a server are skipped. Empty if PostgreSQL is installed. */
export const POSTGRES_MISSING = findPrograms() === undefined ? 'PostgreSQL is not installed' : ''

/**
 * Starts a server. Rejects with the server's output if the server doesn't start. A running server doesn't keep the process alive. With
 * `isDurable`, commits are flushed to disk, as PostgreSQL does by default. Default: false.
 */
export async function startPostgres({ isDurable = false }: { readonly isDurable?: boolean } = {}): Promise<TestPostgres> {
  const programs = findPrograms()
  if (programs === undefined) throw new Error(POSTGRES_MISSING)
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  // The server refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  await initialize('postgres', data, () => {
    const args = ['-D', data, '-U', 'tester', '-A', 'trust', '--no-sync', '-E', 'UTF8']
    const made = spawnSync(join(programs, 'initdb'), args, { ...user, cwd: folder, encoding: 'utf8' })
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  })
  for (;;) {
    const port = await freePort()
    const keeper = keep(folder, join(programs, 'postgres'), user, [
      '-D',
      data,
      '-p',
      String(port),
      ...SETTINGS,
      ...(isDurable ? [] : ['-c', 'fsync=off']),
    ])
    const order = async (words: string, answer: string) => {
      const answered = untilSaid(keeper, answer)
      hold(keeper, true)
      keeper.stdin.write(`${words}\n`)
      await answered
      hold(keeper, false)
    }
    const start = () => order('start', 'ready to accept connections')
    try {
      await start()
    } catch (cause) {
      // Another process has taken the port since it was found to be free.
      if ((cause as Error).message.includes('Address already in use')) continue
      throw cause
    }
    return {
      url: `postgres://tester@127.0.0.1:${port}/postgres`,
      end: (how) => order(how, 'server is gone'),
      start,
      async [Symbol.asyncDispose]() {
        const ended = once(keeper, 'exit')
        hold(keeper, true)
        keeper.stdin.end()
        await ended
      },
    }
  }
}

const SETTINGS = [...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300']].flatMap((setting) => [
  '-c',
  setting,
])

type Keeper = ChildProcessByStdio<Writable, null, Readable>

/** Starts the process that starts the server. That process outlives the test, and then stops the server. */
function keep(folder: string, program: string, user: { uid?: number; gid?: number }, args: readonly string[]): Keeper {
  const script = fileURLToPath(new URL('keeper.js', import.meta.url))
  const words = [script, folder, program, String(user.uid ?? ''), String(user.gid ?? ''), ...args]
  return spawn(process.execPath, words, { stdio: ['pipe', 'ignore', 'pipe'] })
}

/** Sets whether the server keeps the test process alive. */
function hold(keeper: Keeper, isHeld: boolean): void {
  // In Node, pipes are sockets.
  for (const part of [keeper, keeper.stdin as unknown as Socket, keeper.stderr as unknown as Socket]) {
    if (isHeld) part.ref()
    else part.unref()
  }
}

/** Returns the folder with the programs of the newest installed PostgreSQL. */
function findPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const folders = readdirSync(root).sort((a, b) => Number(b) - Number(a))
  return folders.map((version) => join(root, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')))
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}

/** Returns a free port. It's below the range of outgoing connections, so that a server can be started on it again. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

function untilSaid(keeper: Keeper, words: string): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      said += chunk
      if (said.includes(words)) settle(resolve)
    }
    const onExit = () => settle(() => reject(new Error(`The server didn't start: ${said}`)))
    const settle = (end: () => void) => {
      keeper.stderr.off('data', onData)
      keeper.off('close', onExit)
      keeper.stderr.resume()
      end()
    }
    keeper.stderr.on('data', onData)
    keeper.once('close', onExit)
  })
}
