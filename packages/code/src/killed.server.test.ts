import { onTestFinished } from 'vitest'
import { startBalancer } from '../../durable/test/restate/balancer.ts'
import { describeRestate, freePorts, startRestate } from '../../durable/test/restate/restate.ts'
import { itSurvivesKills } from '../test/killed/kills.ts'

const MOST_WORKERS = 200

describeRestate('code mode on Restate', () => {
  itSurvivesKills('Restate', async () => {
    const [restate, balancer] = await Promise.all([startRestate(), startBalancer()])
    onTestFinished(() => restate.close())
    onTestFinished(() => balancer.close())
    // The server has its ports now, so they aren't among these.
    const ports = await freePorts(MOST_WORKERS)
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
