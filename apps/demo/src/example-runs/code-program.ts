/** The process to be killed: its program waits for the approval of a payment. */
import { runProgram } from './code-errand.ts'
import type { ProcessNews } from './kill-process.ts'

const [folder = ''] = process.argv.slice(2)

await runProgram({
  folder,
  calls: new Map(),
  onEvent: (event) => {
    if (event.type === 'call_started' || event.type === 'call_finished') send({ type: 'event', event })
  },
  onExecuted: (tool) => send({ type: 'executed', tool }),
  approve: async (call) => {
    send({ type: 'waiting', call })
    // The process is killed while it waits here.
    return await new Promise<never>(() => {})
  },
})
process.disconnect?.()

function send(news: ProcessNews): void {
  process.send?.(news)
}
