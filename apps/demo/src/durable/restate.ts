/** Runs on Restate: a server started by the user stores the runs and calls this process to execute them. */
import { createRestateEngine } from '@x/durable/restate'
import { UsageError } from '../failure.ts'
import type { EngineOpener } from './engine.ts'

/** How long to wait for the server, in milliseconds. The time is short, because the command is interactive. */
const PATIENCE_MS = 5000

export const restateOpener: EngineOpener = {
  async open({ fn, environment }) {
    return await createRestateEngine({
      name: 'x-demo',
      ingressUrl: environment.RESTATE_INGRESS_URL || 'http://127.0.0.1:8080',
      adminUrl: environment.RESTATE_ADMIN_URL || 'http://127.0.0.1:9070',
      fn,
      port: portOf(environment.RESTATE_WORKER_PORT),
      uri: environment.RESTATE_WORKER_URI || undefined,
      patienceMs: PATIENCE_MS,
    })
  },
  wayOut:
    'Start its server (npx @restatedev/restate-server) and check RESTATE_INGRESS_URL and RESTATE_ADMIN_URL, or use --durable file.',
}

function portOf(text: string | undefined): number | undefined {
  if (!text) return undefined
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536) return Number(text)
  throw new UsageError(`RESTATE_WORKER_PORT must be the port on which Restate reaches this program, e.g. 9080. It is "${text}".`)
}
