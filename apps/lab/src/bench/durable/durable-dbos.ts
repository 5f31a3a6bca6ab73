/** Durable runs on DBOS: a hand-written workflow, and our engine. Each has its own database on the same server. */
import { createDbosEngine } from '@x/durable/dbos'
import pg from 'pg'
import { agentFunction, QUESTION } from './durable-agent.ts'
import { type LoopSteps, runLoop } from './durable-loop.ts'
import { urlOf } from './durable-servers.ts'
import type { DurableSubject, DurableWork } from './durable-workload.ts'

const QUEUE = 'agents'
/** The polling interval, the same as in our engine. */
const QUEUE_MS = 100
/** Polls quickly. The wait for the result isn't measured. */
const RESULT = { pollingIntervalMs: 20 }

export const dbosByHand: DurableSubject = {
  async open({ script, servers, timed }) {
    const { DBOS } = await import('@dbos-inc/dbos-sdk')
    const databaseUrl = await createDatabase(servers)
    const steps: LoopSteps = {
      step: (name, execute) => DBOS.runStep(execute, { name }),
      all: (promises) => Promise.all(promises),
    }
    const agent = DBOS.registerWorkflow(() => timed(() => runLoop(script, steps)), { name: 'agent' })
    const executorID = `bench-${process.pid}`
    DBOS.setConfig({ name: 'bench', systemDatabaseUrl: databaseUrl, executorID, applicationVersion: '1', logLevel: 'error' })
    await DBOS.launch()
    await DBOS.registerQueue(QUEUE, { workerConcurrency: 100, minPollingIntervalMs: QUEUE_MS })
    return {
      async run(id) {
        const handle = await DBOS.startWorkflow(agent, { workflowID: id, queueName: QUEUE })()
        return await handle.getResult(RESULT)
      },
      recorded: (id) => readRecords(databaseUrl, id),
      close: () => DBOS.shutdown(),
    }
  },
}

export const dbosOwn: DurableSubject = {
  async open(work) {
    const databaseUrl = await createDatabase(work.servers)
    const engine = await createDbosEngine({ name: 'bench', databaseUrl, fn: await agentFunction(work) })
    return {
      run: (id) => engine.run(id, QUESTION),
      recorded: (id) => readRecords(databaseUrl, `bench/${id}`),
      close: () => engine.close(),
    }
  },
}

async function createDatabase(servers: DurableWork['servers']): Promise<string> {
  const url = new URL(urlOf(servers.postgres))
  const name = `bench_${process.pid}`
  await query(url.href, `CREATE DATABASE ${name}`)
  url.pathname = name
  return url.href
}

async function readRecords(databaseUrl: string, workflowId: string): Promise<string> {
  const text = 'SELECT output FROM dbos.operation_outputs WHERE workflow_uuid = $1 ORDER BY function_id'
  const rows = await query(databaseUrl, text, [workflowId])
  return rows.map(({ output }) => String(output)).join('\n')
}

async function query(connectionString: string, text: string, values: readonly string[] = []): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}

interface Row {
  readonly output?: unknown
}
