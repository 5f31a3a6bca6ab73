/** The servers of the `durable` bench: started once for all subjects, and stopped when the process that started them ends. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { POSTGRES_MISSING, startPostgres } from '@x/test-postgres'
import { restateCommand } from '../../restate.ts'
import { keep, letGo, untilHealthy } from './keep-server.ts'

/** The address of a server, or the reason why it isn't available. */
export type Server = { readonly url: string } | { readonly missing: string }

export interface Servers {
  readonly postgres: Server
  /** Its `url` contains two addresses as JSON: ingress and admin. */
  readonly restate: Server
}

const FILE = 'servers.json'

/** Returns the server's address. Throws the reason if the server isn't available. */
export function urlOf(server: Server): string {
  if ('missing' in server) throw new Error(`Skipped: ${server.missing}`)
  return server.url
}

/** Starts the servers and writes their addresses to a file, which the subjects' processes read. */
export async function startServers(folder: string): Promise<void> {
  const servers: Servers = { postgres: await tried(startDatabase), restate: await tried(startRestate) }
  writeFileSync(join(folder, FILE), JSON.stringify(servers))
}

export function readServers(folder: string): Servers {
  const path = join(folder, FILE)
  const missing = { missing: 'no server was started.' }
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { postgres: missing, restate: missing }
}

async function tried(start: () => Promise<Server>): Promise<Server> {
  return await start().catch((cause: Error) => ({ missing: `its server did not start: ${cause.message}` }))
}

async function startDatabase(): Promise<Server> {
  return POSTGRES_MISSING === '' ? { url: (await startPostgres({ isDurable: true })).url } : { missing: `${POSTGRES_MISSING}.` }
}

async function startRestate(): Promise<Server> {
  if (!process.env.X_RESTATE_SERVER) return { missing: 'X_RESTATE_SERVER is not set. `pnpm test:restate` provides a server.' }
  const folder = mkdtempSync(join(tmpdir(), 'x-bench-restate-'))
  const { program, args, env, health, ingressUrl, adminUrl } = await restateCommand(folder)
  const keeper = keep({ folder, program, args, env })
  keeper.stderr?.resume()
  await untilHealthy(keeper, health)
  letGo(keeper)
  return { url: JSON.stringify([ingressUrl, adminUrl]) }
}
