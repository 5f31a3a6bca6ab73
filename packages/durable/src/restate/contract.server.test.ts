import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll } from 'vitest'
import { itKeepsContract } from '../../test/contract.ts'
import { itSurvivesDeploys } from '../../test/deploys.ts'
import { itPaysInside } from '../../test/nested/nested-payments.ts'
import { bundleProgram, type TestProgram } from '../../test/program.ts'
import { startBalancer, type TestBalancer } from '../../test/restate/balancer.ts'
import { describeRestate, freePorts, startRestate, type TestRestate } from '../../test/restate/restate.ts'
import type { ContractHarness } from '../contract/harness.ts'
import { createRestateEngine } from './create-engine.ts'

const MOST_WORKERS = 300

describeRestate('contract of engines: Restate', () => {
  let restate: TestRestate
  let balancer: TestBalancer
  let program: TestProgram
  let ports: number[] = []
  const portOf = new WeakMap<ChildProcess, number>()
  beforeAll(async () => {
    ;[restate, balancer, program] = await Promise.all([startRestate(), startBalancer(), bundleProgram('restate/worker.ts')])
    // The server has its ports now, so they aren't among these.
    ports = await freePorts(MOST_WORKERS)
  })
  afterAll(async () => {
    await balancer?.close()
    await restate?.close()
  })

  const takePort = () => {
    const port = ports.pop()
    if (port === undefined) throw new Error(`More than ${MOST_WORKERS} workers were started.`)
    balancer.add(port)
    return port
  }

  const harness: ContractHarness = {
    open(name, fn) {
      const { ingressUrl, adminUrl } = restate
      const port = fn === undefined ? {} : { port: takePort() }
      return createRestateEngine({ name, ingressUrl, adminUrl, uri: balancer.uri, fn, ...port })
    },
    startWorker(settings) {
      const port = takePort()
      const worker = program.start(settings, restate.ingressUrl, restate.adminUrl, balancer.uri, String(port))
      portOf.set(worker, port)
      worker.once('close', () => balancer.remove(port))
      return worker
    },
    async restartServer(end) {
      await restate.end(end)
      await restate.restart()
    },
    stalled: 'taken over',
    givenUp: 'held',
    onStalled: (worker) => balancer.remove(portOf.get(worker) ?? 0),
  }
  itKeepsContract(harness)
  itPaysInside(harness)
  itSurvivesDeploys(harness)
})
