/** Runs a program that a model wrote for the tools of the bank, with a journal. */
import { join } from 'node:path'
import { defineSignature, type LM } from '@x/adapters'
import { codeTool } from '@x/code'
import { fileJournal } from '@x/durable'
import { type AgentEvent, createReactAgent, type PendingCall } from '@x/react-agent'
import { createRegistry } from '@x/registry'
import * as Type from 'typebox'
import { createDemoTools } from '../agent/demo-tools.ts'
import type { MadeCall } from '../agent/made-calls.ts'
import { DEFAULT_USER } from '../agent/session.ts'
import { bankIn } from './bank.ts'
import { watchedBank } from './journalled-run.ts'
import { type End, playRun } from './played-run.ts'

export const ELECTRICITY = 'Pay 86.40 dollars to Northwind Energy out of the account with the most money. What is left there?'

/** The lines fit into 80 columns after a label, so that the tour doesn't wrap them. */
export const PROGRAM = `const names = ['checking', 'savings', 'vacation']
const get = (account) => tools.get_balance({ account })
const accounts = await Promise.all(names.map(get))
const [{ name }] = accounts.sort((a, b) => b.balance - a.balance)
const bill = { payee: 'Northwind Energy', amount: 86.4 }
await tools.pay_bill({ ...bill, account: name })
const { balance } = await get(name)
return { paid_from: name, left: balance }`

export interface ErrandOptions {
  /** Directory of the journal and the bank. */
  readonly folder: string
  readonly signal?: AbortSignal | undefined
  readonly calls: Map<string, MadeCall>
  readonly onEvent?: ((event: AgentEvent) => void) | undefined
  /** Called when a tool is executed, but not when its result is replayed from the journal. */
  readonly onExecuted: (tool: string) => void
  readonly approve: (call: Pick<PendingCall, 'callId' | 'name' | 'args'>) => Promise<boolean>
}

/** Starts or resumes the run. Steps that are already in the journal aren't repeated. */
export async function runProgram({ folder, signal, calls, onEvent, onExecuted, approve }: ErrandOptions): Promise<End> {
  const journal = await fileJournal(join(folder, 'code.journal'))
  const { entries, open, close } = createDemoTools({ domains: [watchedBank({ onExecuted })], place: bankIn(folder) })
  try {
    const agent = await createReactAgent({
      name: 'clerk',
      lm: writer,
      tools: [codeTool(createRegistry(entries))],
      signature: defineSignature({
        instructions: 'Help a customer of a bank.',
        inputs: { request: Type.String() },
        outputs: { answer: Type.String() },
      }),
    })
    await open()
    const context = { user_id: DEFAULT_USER }
    const run = agent.run({ request: ELECTRICITY }, { id: 'errand-2', steps: journal, signal, context, approve })
    return await playRun(run, calls, onEvent ?? (() => {}))
  } finally {
    await close()
    await journal.close()
  }
}

/** Writes the program, then answers with its result. */
const writer: LM = {
  async generate({ messages }) {
    const last = messages.at(-1)
    if (last?.role !== 'tool')
      return { text: '', toolCalls: [{ id: 'c1', name: 'run_code', arguments: JSON.stringify({ code: PROGRAM }) }] }
    const { result } = JSON.parse(String(last.content)) as { result: { paid_from: string; left: number } }
    return { text: `Paid from ${result.paid_from}. It has ${result.left.toFixed(2)} dollars left.`, toolCalls: [] }
  },
}
