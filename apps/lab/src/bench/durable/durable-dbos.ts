/** Durable runs on DBOS: a hand-written workflow, and our engine. Each has its own database on the same server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createDbosEngine } from '@x/durable/dbos'
import pg from 'pg'
import { agentFunction, QUESTION } from './durable-agent.ts'
import { type LoopSteps, runLoop } from './durable-loop.ts'
import { urlOf } from './durable-servers.ts'
import type { DurableSubject, DurableWork } from './durable-workload.ts'

const QUEUE = 'agents'
/** The polling interval, the same as in our engine. */
const QUEUE_MS = 100
/** Polls quickly. Only the runs at once are measured until their results. */
const RESULT = { pollingIntervalMs: 20 }

export const dbosByHand: DurableSubject = {
  async open({ script, servers, timed }) {
    const { DBOS } = await import('@dbos-inc/dbos-sdk')
    const databaseUrl = await createDatabase(servers)
    const steps: LoopSteps = {
      step: (name, execute) => DBOS.runStep(execute, { name }),
      all: (promises) => Promise.all(promises),
    }
    // The result is polled only after the function has ended, so that waiting runs cost no queries.
    const ends = new Map<string, () => void>()
    const run = () => timed(() => runLoop(script, steps)).finally(() => ends.get(DBOS.workflowID ?? '')?.())
    const agent = DBOS.registerWorkflow(run, { name: 'agent' })
    const executorID = `bench-${process.pid}`
    DBOS.setConfig({ name: 'bench', systemDatabaseUrl: databaseUrl, executorID, applicationVersion: '1', logLevel: 'error' })
    await DBOS.launch()
    await DBOS.registerQueue(QUEUE, { workerConcurrency: 100, minPollingIntervalMs: QUEUE_MS })
    const runOne = async (id: string) => {
      const ended = new Promise<void>((resolve) => ends.set(id, resolve))
      const handle = await DBOS.startWorkflow(agent, { workflowID: id, queueName: QUEUE })()
      await ended
      return await handle.getResult(RESULT)
    }
    return {
      run: runOne,
      async replay(id) {
        await runOne(id)
        const handle = await DBOS.forkWorkflow(id, script.steps, { queueName: QUEUE })
        await handle.getResult(RESULT)
      },
      recorded: (id) => readRecords(databaseUrl, id),
      close: () => DBOS.shutdown({ deregister: true }),
    }
  },
}

export const dbosOwn: DurableSubject = {
  async open(work) {
    const databaseUrl = await createDatabase(work.servers)
    const engine = await createDbosEngine({ name: 'bench', databaseUrl, fn: await agentFunction(work) })
    return {
      run: (id) => engine.run(id, QUESTION),
      async replay(id) {
        await engine.start(id, { ...QUESTION, waits: true })
        while ((await engine.status(id))?.state !== 'waiting') await sleep(20)
        await engine.signal(id, 'go', true)
        await engine.result(id)
      },
      recorded: (id) => readRecords(databaseUrl, `bench/${id}`),
      close: () => engine.close(),
    }
  },
}

let databases = 0

async function createDatabase(servers: DurableWork['servers']): Promise<string> {
  const url = new URL(urlOf(servers.postgres))
  const name = `bench_${process.pid}_${++databases}`
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
