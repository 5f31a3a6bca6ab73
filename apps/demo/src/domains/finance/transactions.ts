/** The transactions of an account. */
import type { SqlExecutor, SqlValue } from '../../sql/sql-client.ts'
import { findAccount } from './accounts.ts'
import { type Kind, toTransactionId } from './ledger.ts'
import { CURRENCY, toDollars } from './money.ts'

export interface TransactionFilter {
  readonly account: string
  readonly kind?: Kind | undefined
  /** First and last day, as YYYY-MM-DD. */
  readonly from_date?: string | undefined
  readonly to_date?: string | undefined
  readonly limit: number
}

/** Returns transactions, latest first. Rejects if the account is unknown or `from_date` is after `to_date`. */
export async function listTransactions(executor: SqlExecutor, userId: string, filter: TransactionFilter) {
  const { kind, from_date, to_date, limit } = filter
  if (from_date !== undefined && to_date !== undefined && from_date > to_date)
    throw new Error(`from_date ${from_date} is after to_date ${to_date}. Give the earlier day as from_date.`)
  const { account_number } = await findAccount(executor, userId, filter.account)
  const params: SqlValue[] = [account_number]
  const conditions = ['own.account_number = $1']
  const where = (condition: string, value: SqlValue | undefined) => {
    if (value !== undefined) conditions.push(`${condition} $${params.push(value)}`)
  }
  where('kind =', kind)
  where('substr(booked_at, 1, 10) >=', from_date)
  where('substr(booked_at, 1, 10) <=', to_date)
  const rows = await executor.query<TransactionRow>(
    `SELECT own.transaction_number, own.amount_cents, kind, note, booked_at, coalesce(party, name) AS counterparty
     FROM finance_entries own
     JOIN finance_transactions ON finance_transactions.transaction_number = own.transaction_number
     JOIN finance_entries other ON other.transaction_number = own.transaction_number AND other.account_number <> own.account_number
     JOIN finance_accounts ON finance_accounts.account_number = other.account_number
     WHERE ${conditions.join(' AND ')} ORDER BY own.transaction_number DESC LIMIT $${params.push(limit)}`,
    params,
  )
  return rows.map(({ transaction_number, amount_cents, ...row }) => ({
    transaction_id: toTransactionId(transaction_number),
    amount: toDollars(amount_cents),
    currency: CURRENCY,
    ...row,
  }))
}

interface TransactionRow {
  readonly transaction_number: number
  readonly amount_cents: number
  readonly kind: Kind
  readonly note: string
  readonly booked_at: string
  readonly counterparty: string
}
