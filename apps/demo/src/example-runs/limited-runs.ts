/** Runs that end early: one exceeds its token budget, one is stopped. */
import type { ReactAgentOptions } from '@x/react-agent'
import { type DemoSignature, openDemoAgent } from '../agent/demo-agent.ts'
import type { MadeCall } from '../agent/made-calls.ts'
import { DEFAULT_USER } from '../agent/session.ts'
import type { ExpectedCall } from '../domains/domain.ts'
import finance from '../domains/finance/index.ts'
import { createLiveView, showLabelled } from '../view/live-view.ts'
import { bankIn } from './bank.ts'
import { withEstimatedUsage } from './estimated-usage.ts'
import { playRun, toRecord } from './played-run.ts'
import type { RunExample } from './run-example.ts'

const REQUEST =
  'Move 200 dollars from savings to checking, then pay 86.40 dollars to Northwind Energy out of checking and show me the new balance of checking.'
const MOVED: ExpectedCall = { tool: 'transfer_money', args: { amount: 200 } }
const PAID: ExpectedCall = { tool: 'pay_bill', args: { amount: 86.4 } }

/** Estimated tokens: enough for two requests to the rules, but not for three. */
const BUDGET = 1_500

export const budgetRun = limitedRun({
  name: 'budget',
  title: `A run with a budget of ${BUDGET.toLocaleString('en')} tokens, estimated at four characters each (budget)`,
  endsEarly: true,
  limits: { budget: { tokens: BUDGET } },
  expected: [MOVED, PAID],
  booked: ['$200.00 from savings to checking', '$86.40 from checking to Northwind Energy'],
  end: 'budget_exceeded',
})

export const stoppedRun = limitedRun({
  name: 'stop',
  title: 'A run that is stopped after its first call (stop)',
  limits: { stopWhen: ({ messages }) => messages.some(({ role }) => role === 'tool') },
  expected: [MOVED],
  booked: ['$200.00 from savings to checking'],
  end: 'stopped',
})

interface Limited extends Pick<RunExample, 'name' | 'title' | 'booked' | 'endsEarly'> {
  readonly limits: Pick<ReactAgentOptions<DemoSignature>, 'budget' | 'stopWhen'>
  readonly expected: readonly ExpectedCall[]
  /** The expected error code or, for a run with a result, the expected termination. */
  readonly end: string
}

function limitedRun({ limits, expected, end: expectedEnd, ...rest }: Limited): RunExample {
  return {
    ...rest,
    request: { request: REQUEST, expected },
    async play({ lm, folder, terminal, signal, findings }) {
      const calls = new Map<string, MadeCall>()
      const counting = withEstimatedUsage(lm)
      const { agent, close } = await openDemoAgent({
        name: 'clerk',
        lm: counting,
        domains: [finance],
        place: bankIn(folder),
        limits,
      })
      try {
        const run = agent.run({ request: REQUEST }, { signal, context: { user_id: DEFAULT_USER }, approve: () => true })
        const end = await playRun(run, calls, createLiveView(terminal, REQUEST))
        const how = end.error?.code ?? end.result?.termination
        findings.expect('the run ended with', how, expectedEnd)
        showLabelled(terminal, 'ended', 'magenta', `${how}. ${tellDone([...calls.values()])}`)
        return toRecord(end, calls)
      } finally {
        await close()
      }
    },
  }
}

/** Describes the calls that were actually made, whatever the model claims about them. */
function tellDone(calls: readonly MadeCall[]): string {
  const callsWith = (isOk: boolean) =>
    calls.filter(({ ok }) => ok === isOk).map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`)
  const failed = callsWith(false).length === 0 ? '' : ` Failed: ${callsWith(false).join(', ')}.`
  return `Done: ${callsWith(true).join(', ') || 'nothing'}.${failed} Nothing else was started.`
}
