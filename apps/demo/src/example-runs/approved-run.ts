/** A run that pauses for approval three times. At each pause, it is saved to a file, and another agent resumes it. */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { AgentRun, Decision, PausedRun } from '@x/react-agent'
import { type DemoAgent, type DemoSignature, openDemoAgent } from '../agent/demo-agent.ts'
import type { MadeCall } from '../agent/made-calls.ts'
import { DEFAULT_USER } from '../agent/session.ts'
import finance from '../domains/finance/index.ts'
import { createLiveView, showLabelled } from '../view/live-view.ts'
import { bankIn } from './bank.ts'
import { type End, playRun, toRecord } from './played-run.ts'
import type { RunExample, Stage } from './run-example.ts'

const REQUEST =
  'Move 200 dollars from savings to checking, pay 86.40 dollars to Northwind Energy out of checking and transfer 50 dollars from savings to vacation.'

/** The decisions, one for each pause of the run. */
const DECISIONS: readonly Decision[] = [
  { type: 'approve' },
  { type: 'edit', args: { amount: 80 } },
  { type: 'reject', reason: 'No trips this year' },
]

export const approvedRun: RunExample = {
  name: 'approvals',
  title: 'A run that pauses for approval (approvals)',
  request: {
    request: REQUEST,
    expected: [
      { tool: 'transfer_money', args: { from_account: 'savings', to_account: 'checking', amount: 200 } },
      { tool: 'pay_bill', args: { payee: 'Northwind Energy', amount: 80 } },
      { tool: 'transfer_money', fails: true },
    ],
  },
  booked: ['$200.00 from savings to checking', '$80.00 from checking to Northwind Energy'],
  async play(stage) {
    const { terminal, folder, signal, findings } = stage
    const show = (label: string, text: string) => showLabelled(terminal, label, 'magenta', text)
    const desk = openDesk(stage)
    let end = await desk.ask((agent) => agent.run({ request: REQUEST }, { signal, context: CONTEXT }))
    let waits = 0
    for (; end.error?.paused !== undefined && waits < MOST_WAITS; waits++) {
      const file = join(folder, `run-${waits + 1}.json`)
      const [call] = end.error.paused.pending
      if (call === undefined) throw new Error('The paused run has no pending call.')
      show('waits', `${call.name} ${JSON.stringify(call.args)}`)
      await writeFile(file, JSON.stringify(end.error.paused), { mode: 0o600 })
      if (waits === 0) {
        const changed = changedCopy(await readPaused(file))
        const { error } = await desk.ask((agent) => agent.resume(changed, { [call.callId]: true }, { signal, context: CONTEXT }))
        show('refused', `a copy with a modified amount. ${error?.message}`)
        findings.expect('the error of a modified copy', error?.code, 'invalid_paused_run')
      }
      const decision = completed(DECISIONS[waits] ?? { type: 'reject' }, call.args)
      show('decided', `${wordsOf(decision)}; a new agent resumes from ${basename(file)}`)
      const paused = await readPaused(file)
      end = await desk.ask((agent) => agent.resume(paused, { [call.callId]: decision }, { signal, context: CONTEXT }))
    }
    findings.expect('number of pauses', waits, DECISIONS.length)
    return toRecord(end, desk.calls)
  },
}

const CONTEXT = { user_id: DEFAULT_USER }
/** Maximum number of pauses, because a model may make more calls than requested. */
const MOST_WAITS = 6

/** Creates a new agent for each part of the run. All agents have the same key, like the processes of one service. */
function openDesk({ lm, folder, terminal }: Stage) {
  const key = randomBytes(32).toString('hex')
  const calls = new Map<string, MadeCall>()
  return {
    calls,
    async ask(toRun: (agent: DemoAgent['agent']) => AgentRun<DemoSignature>): Promise<End> {
      const limits = { pauses: { key, expiresInMs: 3_600_000 } }
      const { agent, close } = await openDemoAgent({ name: 'clerk', lm, domains: [finance], place: bankIn(folder), limits })
      try {
        return await playRun(toRun(agent), calls, createLiveView(terminal, REQUEST))
      } finally {
        await close()
      }
    },
  }
}

async function readPaused(file: string): Promise<PausedRun> {
  return JSON.parse(await readFile(file, 'utf8')) as PausedRun
}

/** Returns a copy with a different amount, as an attacker with access to the file could write it. */
function changedCopy(paused: PausedRun): PausedRun {
  return { ...paused, pending: paused.pending.map((call) => ({ ...call, args: { ...call.args, amount: 9_999 } })) }
}

/** Adds the unchanged arguments to an edit. */
function completed(decision: Decision, args: Readonly<Record<string, unknown>>): Decision {
  return decision.type === 'edit' ? { ...decision, args: { ...args, ...decision.args } } : decision
}

function wordsOf(decision: Decision): string {
  if (decision.type === 'edit') return `yes, with ${JSON.stringify(decision.args)}`
  return decision.type === 'reject' ? `no${decision.reason === undefined ? '' : ` ("${decision.reason}")`}` : 'yes'
}
