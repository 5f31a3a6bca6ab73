/** Starts a run with a journal, or resumes it after its process was killed. */
import { join } from 'node:path'
import type { LM } from '@x/adapters'
import { fileJournal } from '@x/durable'
import type { AgentEvent } from '@x/react-agent'
import { wrapped } from '@x/toolset'
import { openDemoAgent } from '../agent/demo-agent.ts'
import type { MadeCall } from '../agent/made-calls.ts'
import { DEFAULT_USER } from '../agent/session.ts'
import type { Domain } from '../domains/domain.ts'
import finance from '../domains/finance/index.ts'
import { bankIn } from './bank.ts'
import { type End, playRun } from './played-run.ts'

export const JOURNALLED_REQUEST =
  'Move 200 dollars from savings to checking, then pay 86.40 dollars to Northwind Energy out of checking and show me the new balance of checking.'

export interface JournalledOptions {
  /** Directory of the journal and the bank. */
  readonly folder: string
  readonly lm: LM
  readonly signal?: AbortSignal | undefined
  readonly calls: Map<string, MadeCall>
  readonly onEvent: (event: AgentEvent) => void
  /** Called when a tool is executed, but not when its result is replayed from the journal. */
  readonly onExecuted: (tool: string) => void
  /** Called after a tool was executed and before its result is recorded. */
  readonly afterExecution?: ((tool: string) => Promise<void>) | undefined
}

export function journalIn(folder: string): string {
  return join(folder, 'run.journal')
}

/** Starts or resumes the run. Steps that are already in the journal aren't repeated. */
export async function runJournalled(options: JournalledOptions): Promise<End> {
  const { folder, lm, signal, calls, onEvent } = options
  const journal = await fileJournal(journalIn(folder))
  try {
    const { agent, close } = await openDemoAgent({ name: 'clerk', lm, domains: [watchedBank(options)], place: bankIn(folder) })
    try {
      const context = { user_id: DEFAULT_USER }
      const run = agent.run(
        { request: JOURNALLED_REQUEST },
        { id: 'errand-1', steps: journal, signal, context, approve: () => true },
      )
      return await playRun(run, calls, onEvent)
    } finally {
      await close()
    }
  } finally {
    await journal.close()
  }
}

/** Creates the bank with callbacks around each execution of a tool. */
export function watchedBank({ onExecuted, afterExecution }: Pick<JournalledOptions, 'onExecuted' | 'afterExecution'>): Domain {
  return {
    ...finance,
    createTools: (settings) =>
      finance.createTools(settings).map((source) =>
        wrapped(source, async ({ tool }, next) => {
          onExecuted(tool.name)
          const output = await next()
          await afterExecution?.(tool.name)
          return output
        }),
      ),
  }
}
