/**
 * A program that a model wrote runs in another process, which is killed while a payment waits for approval. This process then resumes it.
 */
import { dirname, join } from 'node:path'
import type { MadeCall } from '../agent/made-calls.ts'
import { noteCall } from '../agent/made-calls.ts'
import { showLabelled } from '../view/live-view.ts'
import { ELECTRICITY, PROGRAM, runProgram } from './code-errand.ts'
import { startAndKill } from './kill-process.ts'
import { toRecord } from './played-run.ts'
import type { RunExample } from './run-example.ts'

export const codeRun: RunExample = {
  name: 'code',
  title: 'A program written by the model, killed while it waits for approval, then resumed (code)',
  request: {
    request: ELECTRICITY,
    answer: '8813.60 dollars left',
    expected: [
      { tool: 'run_code' },
      { tool: 'get_balance', args: { account: 'checking' } },
      { tool: 'get_balance', args: { account: 'savings' } },
      { tool: 'get_balance', args: { account: 'vacation' } },
      { tool: 'pay_bill', args: { account: 'savings', amount: 86.4 } },
      { tool: 'get_balance', args: { account: 'savings' } },
    ],
  },
  booked: ['$86.40 from savings to Northwind Energy'],
  async play(stage) {
    const { folder, terminal, findings, signal } = stage
    const show = (label: string, text: string) => showLabelled(terminal, label, 'magenta', text)
    show('model', 'a script, because the rules only call tools')
    for (const [index, line] of PROGRAM.split('\n').entries()) showLabelled(terminal, index === 0 ? 'program' : '', 'bold', line)
    const before: string[] = []
    const calls = new Map<string, MadeCall>()
    const program = { ...stage.program, file: join(dirname(stage.program.file), 'code-program.js') }
    const wasKilled = await startAndKill({ program, folder, signal }, (news) => {
      if (news.type === 'executed') before.push(news.tool)
      if (news.type === 'event') noteCall(calls, news.event)
      if (news.type === 'waiting') show('waits', `${news.call.callId} ${news.call.name} ${JSON.stringify(news.call.args)}`)
    })
    findings.expect('killed while it waited', wasKilled, true)
    if (wasKilled) show('killed', 'by SIGKILL, while the payment waited for approval')
    show('resumed', 'by another process, which approves the payment')
    const after: string[] = []
    const end = await runProgram({
      folder,
      signal,
      calls,
      onExecuted: (tool) => after.push(tool),
      approve: async () => true,
    })
    show('before', `executed: ${before.join(', ')}`)
    show('after', `executed: ${after.join(', ')}`)
    findings.expect('executed by the killed process', before, ['get_balance', 'get_balance', 'get_balance'])
    findings.expect('executed after it', after, ['pay_bill', 'get_balance'])
    findings.expect('requests to the model in both processes', end.result?.steps, 2)
    return toRecord(end, calls)
  },
}
