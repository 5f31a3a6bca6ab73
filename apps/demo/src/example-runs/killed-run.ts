/** A run in another process, which is killed before the run ends. This process resumes the run from the journal. */
import { readFile } from 'node:fs/promises'
import type { AgentEvent, UnknownCall } from '@x/react-agent'
import type { MadeCall } from '../agent/made-calls.ts'
import { createLiveView, showLabelled } from '../view/live-view.ts'
import { JOURNALLED_REQUEST, journalIn, runJournalled } from './journalled-run.ts'
import { type ProcessNews, startAndKill } from './kill-process.ts'
import { toRecord } from './played-run.ts'
import type { RunExample } from './run-example.ts'

export const killedRun: RunExample = {
  name: 'journal',
  title: 'A run in a process that is killed; another process resumes the run (journal)',
  request: {
    request: JOURNALLED_REQUEST,
    expected: [
      { tool: 'transfer_money', args: { amount: 200 } },
      { tool: 'pay_bill', args: { amount: 86.4 }, fails: true },
      { tool: 'get_balance', args: { account: 'checking' } },
    ],
  },
  booked: ['$200.00 from savings to checking', '$86.40 from checking to Northwind Energy'],
  async play(stage) {
    const { folder, terminal, findings } = stage
    const show = (label: string, text: string) => showLabelled(terminal, label, 'magenta', text)
    const view = createLiveView(terminal, JOURNALLED_REQUEST)
    const before = createWork()
    const wasKilled = await startAndKill(stage, (news) => {
      if (news.type === 'event') view(news.event)
      else if (news.type === 'asked' || news.type === 'executed') note(before, news)
    })
    findings.expect('killed before it ended', wasKilled, true)
    if (wasKilled) show('killed', 'by SIGKILL, after the bank had booked the payment and before the journal recorded it')
    show('resumed', `by another process, from a journal of ${await countRecords(folder)} records`)
    const after = createWork()
    const calls = new Map<string, MadeCall>()
    const viewNew = toResumedView(view, show)
    const end = await runJournalled({
      ...stage,
      calls,
      onEvent: (event) => {
        if (event.type === 'model_started') note(after, { type: 'asked' })
        viewNew(event)
      },
      onExecuted: (tool) => note(after, { type: 'executed', tool }),
    })
    show('before', describeWork(before))
    show('after', describeWork(after))
    const repeated = after.executed.filter((tool) => before.executed.includes(tool))
    findings.expect('executed by the killed process', before.executed, ['transfer_money', 'pay_bill'])
    findings.expect('executed twice', repeated, [])
    findings.expect('model requests of both processes', before.asked + after.asked, end.result?.steps)
    findings.expect('reported as unknown', namesOf(end.result?.unknownCalls), ['pay_bill'])
    return toRecord(end, calls)
  },
}

/** The work of one process. */
interface Work {
  asked: number
  readonly executed: string[]
}

function createWork(): Work {
  return { asked: 0, executed: [] }
}

function note(work: Work, news: Extract<ProcessNews, { readonly type: 'asked' | 'executed' }>): void {
  if (news.type === 'asked') work.asked++
  else work.executed.push(news.tool)
}

function describeWork({ asked, executed }: Work): string {
  return `${asked} model requests; executed: ${executed.join(', ') || 'nothing'}`
}

function namesOf(calls: readonly UnknownCall[] = []): readonly string[] {
  return calls.map(({ name }) => name)
}

/** Creates a view for a resumed run. It skips replayed events, which were shown before, but shows calls with an unknown outcome. */
function toResumedView(view: (event: AgentEvent) => void, show: (label: string, text: string) => void) {
  let isNew = false
  return (event: AgentEvent) => {
    isNew ||= event.type === 'model_started'
    if (isNew) view(event)
    else if (event.type === 'call_finished' && !event.observation.ok)
      show('unknown', `${event.observation.name}: ${event.observation.text}`)
  }
}

/** Counts the records in the journal. The first line of the file doesn't count, because it only identifies the format. */
async function countRecords(folder: string): Promise<number> {
  return (await readFile(journalIn(folder), 'utf8')).split('\n').length - 2
}
