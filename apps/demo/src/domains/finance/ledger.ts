/** The ledger: a transaction moves money from one account to another, as two entries with a sum of zero. */
import { isDeepStrictEqual } from 'node:util'
import type { SqlExecutor } from '../../sql/sql-client.ts'
import { OUTSIDE, toAccountId } from './accounts.ts'
import { formatCents } from './money.ts'

export const KINDS = ['deposit', 'transfer', 'payment'] as const

export type Kind = (typeof KINDS)[number]

/** A movement of money. Accounts are identified by number. */
export interface Transaction {
  readonly user_id: string
  readonly from: number
  readonly to: number
  readonly cents: number
  /** The other party, if it is outside the bank. */
  readonly party: string | null
  readonly note: string
}

export interface BookingOptions {
  readonly booked_at: string
  /**
   * Idempotency key, or an empty string for no key. If the user has an earlier transaction with the same key, its receipt is returned and
   * no money moves.
   */
  readonly idempotencyKey: string
}

export interface Receipt {
  readonly transaction_id: string
  readonly booked_at: string
}

/**
 * Moves the money. Must run in a database transaction. Rejects if the funds are insufficient, or if the idempotency key belongs to
 * a different transaction.
 */
export async function book(executor: SqlExecutor, transaction: Transaction, options: BookingOptions): Promise<Receipt> {
  const { user_id, from, to, cents, party, note } = transaction
  const { booked_at, idempotencyKey } = options
  const earlier = idempotencyKey === '' ? undefined : await findEarlier(executor, transaction, idempotencyKey)
  if (earlier !== undefined) return earlier
  await takeFrom(executor, from, cents)
  await executor.query('UPDATE finance_accounts SET balance_cents = balance_cents + $1 WHERE account_number = $2', [cents, to])
  const number = await nextNumber(executor)
  await executor.query('INSERT INTO finance_transactions VALUES ($1, $2, $3, $4, $5, $6, $7)', [
    number,
    user_id,
    kindOf(transaction),
    party,
    note,
    booked_at,
    idempotencyKey === '' ? null : idempotencyKey,
  ])
  await executor.query('INSERT INTO finance_entries VALUES ($1, $2, $3), ($1, $4, $5)', [number, from, -cents, to, cents])
  return { transaction_id: toTransactionId(number), booked_at }
}

export function toTransactionId(number: number): string {
  return `TXN-${number}`
}

const FIRST_NUMBER = 1001

async function findEarlier(executor: SqlExecutor, asked: Transaction, key: string): Promise<Receipt | undefined> {
  const [row] = await executor.query<Transaction & { transaction_number: number; booked_at: string }>(
    `SELECT finance_transactions.transaction_number, booked_at, user_id, party, note,
       taken.account_number AS "from", given.account_number AS "to", given.amount_cents AS cents
     FROM finance_transactions
     JOIN finance_entries taken ON taken.transaction_number = finance_transactions.transaction_number AND taken.amount_cents < 0
     JOIN finance_entries given ON given.transaction_number = finance_transactions.transaction_number AND given.amount_cents > 0
     WHERE user_id = $1 AND idempotency_key = $2`,
    [asked.user_id, key],
  )
  if (row === undefined) return undefined
  const { transaction_number, booked_at, ...booked } = row
  const transaction_id = toTransactionId(transaction_number)
  if (!isDeepStrictEqual(booked, { ...asked }))
    throw new Error(`No money was moved: this call has the idempotency key of ${transaction_id}, a different transaction.`)
  return { transaction_id, booked_at }
}

async function takeFrom(executor: SqlExecutor, account: number, cents: number): Promise<void> {
  const taken = await executor.query(
    `UPDATE finance_accounts SET balance_cents = balance_cents - $1
     WHERE account_number = $2 AND (user_id IS NULL OR balance_cents + limit_cents >= $1) RETURNING account_number`,
    [cents, account],
  )
  if (taken.length > 0) return
  const [row] = await executor.query<{ name: string; available: number }>(
    'SELECT name, balance_cents + limit_cents AS available FROM finance_accounts WHERE account_number = $1',
    [account],
  )
  throw new Error(
    `Not enough money in "${row?.name}" (${toAccountId(account)}): ${formatCents(row?.available ?? 0)} is available, ` +
      `${formatCents(cents)} was requested. No money was moved. Use a smaller amount or a different account.`,
  )
}

async function nextNumber(executor: SqlExecutor): Promise<number> {
  const [last] = await executor.query<{ number: number }>(
    'SELECT coalesce(max(transaction_number), $1) + 1 AS number FROM finance_transactions',
    [FIRST_NUMBER - 1],
  )
  return Number(last?.number)
}

function kindOf({ from, to }: Transaction): Kind {
  if (from === OUTSIDE) return 'deposit'
  return to === OUTSIDE ? 'payment' : 'transfer'
}
