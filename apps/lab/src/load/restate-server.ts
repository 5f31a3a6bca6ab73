/** A Restate server that can be killed and started again with the same data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { untilHealthy } from '../bench/durable/keep-server.ts'

export interface RestateServer extends AsyncDisposable {
  readonly ingressUrl: string
  readonly adminUrl: string
  kill(): Promise<void>
  start(): Promise<void>
}

/** Starts a server whose data is in this folder. */
export async function startRestate(folder: string): Promise<RestateServer> {
  const program = process.env.X_RESTATE_SERVER
  if (program === undefined || program === '')
    throw new Error('X_RESTATE_SERVER must be the path of a Restate server program. `pnpm test:restate` provides one.')
  const [ingress, admin, node] = await freePorts(3)
  const env = {
    ...process.env,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_ADMIN__DISABLE_WEB_UI: 'true',
    RESTATE_LOG_FILTER: 'error',
  }
  const [ingressUrl, adminUrl] = [`http://127.0.0.1:${ingress}`, `http://127.0.0.1:${admin}`]
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn(program, ['--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--base-dir', folder], { env, stdio: 'ignore' })
    await untilHealthy(server, [`${adminUrl}/health`, `${ingressUrl}/restate/health`])
  }
  const kill = async () => {
    if (server === undefined || server.signalCode !== null || server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }
  // Before the folder is removed.
  process.prependListener('exit', () => server?.kill('SIGKILL'))
  await start()
  return {
    ingressUrl,
    adminUrl,
    kill,
    start,
    [Symbol.asyncDispose]: kill,
  }
}

/** Returns free ports. They are below the range of outgoing connections, so that none of these takes a port before it is used. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) ports.add(port)
  }
  return [...ports]
}
