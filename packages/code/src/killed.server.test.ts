import { onTestFinished } from 'vitest'
import { startBalancer } from '../../durable/test/restate/balancer.ts'
import { describeRestate, freePorts, startRestate } from '../../durable/test/restate/restate.ts'
import { itSurvivesKills } from '../test/killed/kills.ts'

const MOST_WORKERS = 200

describeRestate('code mode on Restate', () => {
  itSurvivesKills('Restate', async () => {
    const [restate, balancer, ports] = await Promise.all([startRestate(), startBalancer(), freePorts(MOST_WORKERS)])
    onTestFinished(() => restate.close())
    onTestFinished(() => balancer.close())
    return {
      place: { engine: 'restate', ingressUrl: restate.ingressUrl, adminUrl: restate.adminUrl, uri: balancer.uri },
      portOf() {
        const port = ports.pop()
        if (port === undefined) throw new Error(`More than ${MOST_WORKERS} workers were started.`)
        balancer.add(port)
        return port
      },
    }
  })
})
