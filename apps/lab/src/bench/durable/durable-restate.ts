/** Durable runs on Restate: a hand-written service, and our engine. Both use the same server. */
import type { Context } from '@restatedev/restate-sdk'
import { createRestateEngine } from '@x/durable/restate'
import { freePorts } from '../../restate.ts'
import { agentFunction, QUESTION } from './durable-agent.ts'
import { runLoop } from './durable-loop.ts'
import { urlOf } from './durable-servers.ts'
import type { DurableSubject } from './durable-workload.ts'

export const restateByHand: DurableSubject = {
  async open({ script, servers, timed }) {
    const { RestatePromise, serve, service } = await import('@restatedev/restate-sdk')
    const [ingressUrl, adminUrl] = urlsOf(urlOf(servers.restate))
    const name = `hand-${process.pid}`
    const run = (context: Context, _id: string) =>
      timed(() =>
        runLoop(script, {
          step: (name, execute) => context.run(name, execute),
          all: (promises) => RestatePromise.all(promises as never) as PromiseLike<never>,
        }),
      )
    const port = await serve({ services: [service({ name, handlers: { run } })], port: 0, logger: () => {} })
    await post(`${adminUrl}/deployments`, { uri: `http://127.0.0.1:${port}` })
    return {
      run: async (id) => JSON.parse(await post(`${ingressUrl}/${name}/run`, id)),
      recorded: () => readRecords(adminUrl, name),
      // The server of the service runs until the process ends.
      close: async () => {},
    }
  },
}

export const restateOwn: DurableSubject = {
  async open(work) {
    const [ingressUrl, adminUrl] = urlsOf(urlOf(work.servers.restate))
    const name = `own-${process.pid}`
    const [port] = await freePorts(1)
    const engine = await createRestateEngine({ name, ingressUrl, adminUrl, port, fn: await agentFunction(work) })
    return {
      run: (id) => engine.run(id, QUESTION),
      recorded: () => readRecords(adminUrl, name),
      close: () => engine.close(),
    }
  },
}

function urlsOf(urls: string): readonly [string, string] {
  return JSON.parse(urls)
}

/** Returns the journal of the service's only run so far. */
async function readRecords(adminUrl: string, service: string): Promise<string> {
  const query = `select j.entry_json from sys_journal j join sys_invocation i on j.id = i.id where i.target_service_name = '${service}'`
  const { rows } = JSON.parse(await post(`${adminUrl}/query`, { query })) as { readonly rows: readonly Row[] }
  return rows.map(({ entry_json: text }) => JSON.stringify(JSON.parse(text, toText))).join('\n')
}

interface Row {
  readonly entry_json: string
}

/** Decodes text in a JSON reviver, because the server returns values as lists of bytes. */
function toText(_key: string, value: unknown): unknown {
  const isBytes = Array.isArray(value) && value.length > 0 && value.every((byte) => typeof byte === 'number')
  return isBytes ? Buffer.from(value).toString('utf8') : value
}

async function post(url: string, body: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`)
  return text
}
