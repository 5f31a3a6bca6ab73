/** Moves a user's money to another of the user's accounts or to an outside payee. */
import type { SqlExecutor } from '../../sql/sql-client.ts'
import { findAccount, isCalled, OUTSIDE, readAccounts } from './accounts.ts'
import { type BookingOptions, book } from './ledger.ts'
import { toCents } from './money.ts'

export interface Transfer {
  readonly from_account: string
  readonly to_account: string
  /** Amount in dollars. */
  readonly amount: number
  readonly note: string
}

export interface Bill {
  readonly payee: string
  /** Amount in dollars. */
  readonly amount: number
  readonly account: string
  readonly note: string
}

/**
 * Transfers money between two accounts of the user. Rejects if an account is unknown, both accounts are the same, the funds are
 * insufficient, or the amount is invalid.
 */
export async function transferMoney(executor: SqlExecutor, userId: string, transfer: Transfer, options: BookingOptions) {
  const { amount, note } = transfer
  const cents = toCents(amount)
  const from = await findAccount(executor, userId, transfer.from_account)
  const to = await findAccount(executor, userId, transfer.to_account)
  if (from.account_number === to.account_number)
    throw new Error(`"${transfer.from_account}" and "${transfer.to_account}" are the same account. Name two accounts.`)
  const numbers = { from: from.account_number, to: to.account_number }
  const receipt = await book(executor, { user_id: userId, ...numbers, cents, party: null, note }, options)
  return { ...receipt, from_account: from.name, to_account: to.name, amount, note }
}

/**
 * Pays a bill from an account of the user. Rejects if the account is unknown, the payee is one of the user's accounts, the funds are
 * insufficient, or the amount is invalid.
 */
export async function payBill(executor: SqlExecutor, userId: string, bill: Bill, options: BookingOptions) {
  const { amount, note } = bill
  const cents = toCents(amount)
  const payee = bill.payee.trim()
  if (payee === '') throw new Error('The payee is missing. Pass the name of the company or person to pay.')
  const from = await findAccount(executor, userId, bill.account)
  if ((await readAccounts(executor, userId)).some((account) => isCalled(account, payee)))
    throw new Error(`"${payee}" is an account of this user, not a payee. Transfer money to it instead.`)
  const numbers = { from: from.account_number, to: OUTSIDE }
  const receipt = await book(executor, { user_id: userId, ...numbers, cents, party: payee, note }, options)
  return { ...receipt, payee, account: from.name, amount, note }
}
