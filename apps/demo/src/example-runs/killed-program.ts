/** The process to be killed: it waits after the bank has booked the payment and before the journal records it. */
import { createDemoLM } from '../agent/lm.ts'
import type { LMChoice } from '../agent/providers.ts'
import { runJournalled } from './journalled-run.ts'
import type { ProcessNews } from './kill-process.ts'

const [folder = '', model = ''] = process.argv.slice(2)

await runJournalled({
  folder,
  lm: await createDemoLM(JSON.parse(model) as LMChoice),
  calls: new Map(),
  onEvent: (event) => {
    if (event.type === 'model_started') send({ type: 'asked' })
    if (event.type === 'assistant_message' || event.type === 'call_started' || event.type === 'call_finished')
      send({ type: 'event', event })
  },
  onExecuted: (tool) => send({ type: 'executed', tool }),
  afterExecution: async (tool) => {
    if (tool !== 'pay_bill') return
    send({ type: 'booked' })
    // The process is killed while it waits here.
    await new Promise(() => {})
  },
})
process.disconnect?.()

function send(news: ProcessNews): void {
  process.send?.(news)
}
