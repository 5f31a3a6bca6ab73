/** A bank for tests, called in the same way as by a model. */
import { callTool, type Tool, type ToolResult } from '@x/tool-core'
import { FinanceToolset } from '../../../src/domains/finance/toolset.ts'
import type { Database } from '../../../src/sql/database.ts'

export interface CallAs {
  /** The user who makes the call. Default: `demo`. */
  readonly user?: string | undefined
  readonly idempotencyKey?: string | undefined
}

export interface TestBank {
  call(name: string, args: Record<string, unknown>, as?: CallAs): Promise<ToolResult>
  /** Calls a tool. Resolves to the output, or to the message of the refusal. */
  say(name: string, args: Record<string, unknown>, as?: CallAs): Promise<unknown>
  /** Resolves to the balance of an account, in dollars. */
  balance(account: string, user?: string): Promise<number>
}

export function openBank(database: Database): TestBank {
  const tools: readonly Tool[] = new FinanceToolset(database.connect).tools()
  const bank: TestBank = {
    call(name, args, { user = 'demo', idempotencyKey } = {}) {
      const tool = tools.find((candidate) => candidate.name === name) as Tool
      return callTool(tool, { id: '1', name, args }, { values: { user_id: user }, idempotencyKey })
    },
    async say(name, args, as) {
      const result = await bank.call(name, args, as)
      return result.ok ? result.output : result.error.message
    },
    async balance(account, user) {
      const output = (await bank.say('get_balance', { account }, { user })) as { balance: number }
      return output.balance
    },
  }
  return bank
}
