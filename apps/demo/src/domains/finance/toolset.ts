/** The bank as a toolset. Each tool works on the accounts of the run's user. */
import { method, Toolset } from '@x/toolset'
import * as Type from 'typebox'
import type { Connect } from '../../sql/database.ts'
import type { SqlClient, SqlExecutor } from '../../sql/sql-client.ts'
import { userContext } from '../domain.ts'
import { getBalance, listAccounts } from './accounts.ts'
import { type BookingOptions, KINDS } from './ledger.ts'
import { MAX_AMOUNT } from './money.ts'
import { payBill, transferMoney } from './payments.ts'
import { financeTables } from './schema.ts'
import { listTransactions } from './transactions.ts'

const ACCOUNT = 'name or id, e.g. "checking", "savings" or "ACC-1001"'
const account = (description: string) => Type.String({ minLength: 1, description: `${description}: ${ACCOUNT}` })
const amount = Type.Number({
  exclusiveMinimum: 0,
  maximum: MAX_AMOUNT,
  description: 'Amount in dollars, with at most two decimals',
})
const note = Type.String({ default: '', maxLength: 200, description: 'What it is for, in the words of the user' })
const DAY = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$'
const day = (description: string) => Type.Optional(Type.String({ pattern: DAY, description: `${description}, as YYYY-MM-DD` }))

export class FinanceToolset extends Toolset {
  readonly name = 'finance'
  readonly #open: Connect

  constructor(connect: Connect) {
    super()
    this.#open = connect
  }

  readonly listAccounts = method({
    name: 'list_accounts',
    description: 'List all bank accounts of the user with their balances; a negative balance is owed',
    effect: 'read',
    args: Type.Object({}),
    context: userContext,
    execute: async (_, { values }) => listAccounts(await this.#connect(), values.user_id),
  })

  readonly getBalance = method({
    name: 'get_balance',
    description: 'Get the balance of one bank account of the user, the money in it; a negative balance is owed',
    effect: 'read',
    args: Type.Object({ account: account('The account') }),
    context: userContext,
    execute: async (args, { values }) => getBalance(await this.#connect(), values.user_id, args.account),
  })

  readonly transferMoney = method({
    name: 'transfer_money',
    description: 'Transfer money from one bank account of the user to another account of the same user',
    effect: 'write',
    args: Type.Object({
      from_account: account('Account that the money is taken from'),
      to_account: account('Account that the money goes to'),
      amount,
      note,
    }),
    context: userContext,
    execute: (args, { values, idempotencyKey }) =>
      this.#book(idempotencyKey, (executor, options) => transferMoney(executor, values.user_id, args, options)),
  })

  readonly payBill = method({
    name: 'pay_bill',
    description: 'Pay a bill: send money from a bank account of the user to a company or a person',
    effect: 'write',
    args: Type.Object({
      payee: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the company or person that is paid' }),
      amount,
      account: account('Account that the money is taken from'),
      note,
    }),
    context: userContext,
    execute: (args, { values, idempotencyKey }) =>
      this.#book(idempotencyKey, (executor, options) => payBill(executor, values.user_id, args, options)),
  })

  readonly listTransactions = method({
    name: 'list_transactions',
    description:
      'List the transactions, or bookings, of one bank account of the user, latest first; outgoing amounts are negative',
    effect: 'read',
    args: Type.Object({
      account: account('The account'),
      kind: Type.Optional(
        Type.Enum([...KINDS], {
          description: 'Only deposits from outside, transfers between own accounts, or payments to a company or person',
        }),
      ),
      from_date: day('First day'),
      to_date: day('Last day'),
      limit: Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'How many to list at most' }),
    }),
    context: userContext,
    execute: async (args, { values }) => listTransactions(await this.#connect(), values.user_id, args),
  })

  async #book<Output>(
    idempotencyKey: string,
    work: (executor: SqlExecutor, options: BookingOptions) => Promise<Output>,
  ): Promise<Output> {
    const options = { booked_at: new Date().toISOString(), idempotencyKey }
    return (await this.#connect()).transaction((executor) => work(executor, options))
  }

  #connect(): Promise<SqlClient> {
    return this.#open(financeTables)
  }
}
