/** A Restate server that can be killed and started again with the same data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { untilHealthy } from '../bench/durable/keep-server.ts'
import { restateCommand } from '../restate.ts'

export interface RestateServer extends AsyncDisposable {
  readonly ingressUrl: string
  readonly adminUrl: string
  kill(): Promise<void>
  start(): Promise<void>
}

/** Starts a server whose data is in this folder. */
export async function startRestate(folder: string): Promise<RestateServer> {
  const { program, args, env, health, ingressUrl, adminUrl } = await restateCommand(folder)
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' })
    await untilHealthy(server, health)
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
