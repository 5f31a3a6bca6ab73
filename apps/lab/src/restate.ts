/** How a Restate server is started: its program, its settings and its addresses. */
import { createServer } from 'node:net'

export interface RestateCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly ingressUrl: string
  readonly adminUrl: string
  /** URLs that answer once the server is ready. */
  readonly health: readonly string[]
}

/** Returns the command for a server whose data is in this folder. Rejects if `X_RESTATE_SERVER` isn't set. */
export async function restateCommand(folder: string): Promise<RestateCommand> {
  const program = process.env.X_RESTATE_SERVER
  if (program === undefined || program === '')
    throw new Error('X_RESTATE_SERVER must be the path of a Restate server program. `pnpm test:restate` provides one.')
  const [ingress, admin, node] = await freePorts(3)
  const env = {
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_ADMIN__DISABLE_WEB_UI: 'true',
    RESTATE_LOG_FILTER: 'error',
  }
  const [ingressUrl, adminUrl] = [`http://127.0.0.1:${ingress}`, `http://127.0.0.1:${admin}`]
  const args = ['--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--base-dir', folder]
  return { program, args, env, ingressUrl, adminUrl, health: [`${adminUrl}/health`, `${ingressUrl}/restate/health`] }
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
