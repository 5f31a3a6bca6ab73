/** The engines under test and their servers. */
import { join } from 'node:path'
import { createFileEngine, type DurableEngine, type RunFunction } from '@x/durable'
import { createDbosEngine } from '@x/durable/dbos'
import { createRestateEngine } from '@x/durable/restate'
import { type PostgresEnd, startPostgres } from '@x/test-postgres'
import { freePorts } from '../restate.ts'
import { startBalancer } from './balancer.ts'
import { startRestate } from './restate-server.ts'
import type { Kind, LoadOutput } from './scripts.ts'

export const ENGINES = ['dbos', 'restate', 'files'] as const
export type EngineName = (typeof ENGINES)[number]

/** Where runs are stored. Passed to processes as JSON. */
export type Place =
  | { readonly engine: 'dbos'; readonly databaseUrl: string }
  | { readonly engine: 'restate'; readonly ingressUrl: string; readonly adminUrl: string; readonly uri: string }
  | { readonly engine: 'files'; readonly folder: string }

export type LoadEngine = DurableEngine<Kind, LoadOutput>

export interface WorkerOptions {
  readonly fn: RunFunction<Kind, LoadOutput>
  /** Port of a worker on Restate. */
  readonly port?: number | undefined
  /** Maximum number of concurrent runs, except on Restate. */
  readonly concurrency?: number | undefined
}

/** Opens an engine. With `worker`, it executes runs. Runs with the same name share their workers. */
export function openEngine(place: Place, name: string, worker?: WorkerOptions): Promise<LoadEngine> {
  const { fn, port, concurrency } = worker ?? {}
  const onProblem = worker && ((problem: Error) => process.stderr.write(`${problem.message}\n`))
  if (place.engine === 'files') return createFileEngine({ folder: join(place.folder, name), fn, concurrency, onProblem })
  if (place.engine === 'dbos') return createDbosEngine({ name, databaseUrl: place.databaseUrl, fn, concurrency, onProblem })
  const { ingressUrl, adminUrl, uri } = place
  return createRestateEngine({ name, ingressUrl, adminUrl, uri, fn, port, onProblem })
}

export interface Server extends AsyncDisposable {
  readonly place: Place
  /** Ends the server and starts it again. Files have no server. */
  restart?(how: PostgresEnd): Promise<void>
  /** Returns a port for a worker, if the engine needs one. */
  takePort?(): number
  /** Called when the worker on this port has ended. */
  leavePort?(port: number): void
}

/** Ports for workers, more than are started. */
const PORTS = 500

/** Starts a server whose data is in this folder, except that of PostgreSQL. */
export async function startServer(engine: EngineName, folder: string): Promise<Server> {
  if (engine === 'files') return { place: { engine, folder }, async [Symbol.asyncDispose]() {} }
  if (engine === 'dbos') {
    const postgres = await startPostgres({ isDurable: true })
    return {
      place: { engine, databaseUrl: postgres.url },
      async restart(how) {
        await postgres.end(how)
        await postgres.start()
      },
      [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
    }
  }
  const restate = await startRestate(folder)
  const [balancer, ports] = await Promise.all([startBalancer(), freePorts(PORTS)])
  return {
    place: { engine, ingressUrl: restate.ingressUrl, adminUrl: restate.adminUrl, uri: balancer.uri },
    async restart() {
      await restate.kill()
      await restate.start()
    },
    takePort() {
      const port = ports.pop()
      if (port === undefined) throw new Error(`More than ${PORTS} workers were started.`)
      balancer.add(port)
      return port
    },
    leavePort: (port) => balancer.remove(port),
    async [Symbol.asyncDispose]() {
      balancer.close()
      await restate[Symbol.asyncDispose]()
    },
  }
}
