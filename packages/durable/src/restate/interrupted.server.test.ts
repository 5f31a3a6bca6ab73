import { createServer } from 'node:http2'
import type { WorkflowContext } from '@restatedev/restate-sdk'
import { expect, it, onTestFinished } from 'vitest'
import { describeRestate, freePorts, startRestate } from '../../test/restate/restate.ts'
import { resumeInterrupted } from './interrupted.ts'
import { loadSdk } from './load-sdk.ts'
import { checkOptions } from './options.ts'
import { connectServer } from './restate-server.ts'

const HOUR = 60 * 60 * 1000

describeRestate('interrupted runs on Restate', () => {
  it('are continued at once if they have added a record in their last attempt, and the others after their delay', async () => {
    const restate = await startRestate()
    onTestFinished(() => restate.close())
    const attempts: string[] = []
    const run = async (context: WorkflowContext) => {
      const { key } = context
      attempts.push(key)
      if (key === 'good') for (let step = 0; step < attempts.length; step++) await context.run(`step-${step}`, async () => step)
      throw new Error('The attempt failed.')
    }
    const retryPolicy = { initialInterval: HOUR, maxInterval: HOUR, maxAttempts: 1000 }
    const sdk = await loadSdk()
    const service = sdk.workflow({ name: 'runs', handlers: { run }, options: { retryPolicy } })
    const [port] = (await freePorts(1)) as [number]
    const worker = createServer(sdk.createEndpointHandler({ services: [service], logger: () => {} })).listen(port, '127.0.0.1')
    onTestFinished(() => void worker.close())
    const { ingressUrl, adminUrl } = restate
    const options = checkOptions({ name: 'runs', ingressUrl, adminUrl, port })
    const server = connectServer(options, new AbortController().signal)
    await server.register()
    for (const id of ['bad', 'good']) await server.start(id, '{}')
    const isDelayed = `select count(*) as count from sys_invocation where status = 'backing-off'`
    const delayed = async () => ((await server.query(isDelayed)) as { count: number }[])[0]?.count
    await expect.poll(delayed).toBe(2)
    expect([...attempts].sort()).toEqual(['bad', 'good'])
    await resumeInterrupted(server, 'runs')
    await expect.poll(() => attempts.length).toBe(3)
    expect(attempts.filter((id) => id === 'good')).toHaveLength(2)
    await expect.poll(delayed).toBe(2)
  })
})
