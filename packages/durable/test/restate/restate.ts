/** A Restate server for tests, on free ports and with a new folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'vitest'

/** Path of the server binary. */
const BINARY = process.env.X_RESTATE_SERVER

/** Defines tests that need a server. Without a server, they are skipped with a hint on how to run them. */
export function describeRestate(name: string, tests: () => void): void {
  if (BINARY) describe(name, tests)
  else it.skip(`${name}: run \`pnpm test:restate\`, which installs the server`, () => {})
}

export interface TestRestate {
  readonly ingressUrl: string
  readonly adminUrl: string
  /** Ends the server with SIGKILL or SIGTERM. */
  end(how: 'killed' | 'stopped'): Promise<void>
  /** Starts the server again with the same folder and ports. */
  restart(): Promise<void>
  /** Ends the server and deletes the folder. */
  close(): Promise<void>
}

export async function startRestate(settings: Readonly<Record<string, string>> = {}): Promise<TestRestate> {
  const folder = mkdtempSync(join(tmpdir(), 'restate-'))
  const [ingress, admin, node] = await freePorts(3)
  const environment = {
    ...process.env,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_ADMIN__DISABLE_WEB_UI: 'true',
    RESTATE_DEFAULT_NUM_PARTITIONS: '4',
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MB',
    RESTATE_LOG_FILTER: 'error',
    ...settings,
  }
  const urls = { ingressUrl: `http://127.0.0.1:${ingress}`, adminUrl: `http://127.0.0.1:${admin}` }
  let child: ChildProcess | undefined
  const start = async () => {
    const server = spawn(BINARY ?? '', ['--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--base-dir', folder], {
      env: environment,
      stdio: 'ignore',
    })
    child = server
    await untilHealthy([`${urls.adminUrl}/health`, `${urls.ingressUrl}/restate/health`], server)
  }
  const end = async (how: 'killed' | 'stopped') => {
    const server = child
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill(how === 'killed' ? 'SIGKILL' : 'SIGTERM')
    await ended
  }
  await start()
  return {
    ...urls,
    end,
    restart: start,
    async close() {
      await end('killed')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Finds free ports below the ephemeral range. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** How long to wait for the server's start before it counts as failed, in milliseconds. */
const MOST_OF_A_START = 300_000

async function untilHealthy(urls: readonly string[], server: ChildProcess): Promise<void> {
  const end = Date.now() + MOST_OF_A_START
  for (const url of urls) {
    while (
      !(await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (server.exitCode !== null) throw new Error(`The Restate server ended: ${server.exitCode}.`)
      if (Date.now() > end) throw new Error('The Restate server does not answer.')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
