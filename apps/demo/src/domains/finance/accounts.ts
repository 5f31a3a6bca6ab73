/** Finds a user's accounts by name or id. */
import type { SqlExecutor } from '../../sql/sql-client.ts'
import { CURRENCY, toDollars } from './money.ts'

/** Number of the account for everything outside the bank. Deposits and payments are booked against it. It isn't shown to users. */
export const OUTSIDE = 1000

export interface Account {
  readonly account_number: number
  readonly name: string
  readonly balance_cents: number
  /** Overdraft limit. */
  readonly limit_cents: number
}

/** Returns all accounts of a user with their balances. */
export async function listAccounts(executor: SqlExecutor, userId: string) {
  return (await readAccounts(executor, userId)).map(describe)
}

export async function getBalance(executor: SqlExecutor, userId: string, account: string) {
  return describe(await findAccount(executor, userId, account))
}

/** Finds an account by name or id. Rejects if the user has no such account, with a list of the user's accounts. */
export async function findAccount(executor: SqlExecutor, userId: string, account: string): Promise<Account> {
  const accounts = await readAccounts(executor, userId)
  const found = accounts.find((candidate) => isCalled(candidate, account))
  if (found !== undefined) return found
  if (accounts.length === 0)
    throw new Error(`There is no account "${account}": this user has no accounts, and no tool can open one.`)
  const known = accounts.map(({ account_number, name }) => `"${name}" (${toAccountId(account_number)})`)
  throw new Error(`There is no account "${account}". The accounts are ${known.join(', ')}.`)
}

/** Returns true for the account's name and id. Ignores case. */
export function isCalled({ account_number, name }: Account, words: string): boolean {
  return [name, toAccountId(account_number).toLowerCase()].includes(words.trim().toLowerCase())
}

export function readAccounts(executor: SqlExecutor, userId: string): Promise<readonly Account[]> {
  return executor.query(
    `SELECT account_number, name, balance_cents, limit_cents FROM finance_accounts
     WHERE user_id = $1 ORDER BY account_number`,
    [userId],
  )
}

export function toAccountId(number: number): string {
  return `ACC-${number}`
}

/** Describes an account for the model. `available` is the balance plus the overdraft limit. */
function describe({ account_number, name, balance_cents, limit_cents }: Account) {
  return {
    account_id: toAccountId(account_number),
    name,
    balance: toDollars(balance_cents),
    available: toDollars(balance_cents + limit_cents),
    currency: CURRENCY,
  }
}
