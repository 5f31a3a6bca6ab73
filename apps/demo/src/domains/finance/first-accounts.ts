/** The initial accounts of the bank and their transactions. */
import { OUTSIDE } from './accounts.ts'
import type { Transaction } from './ledger.ts'

export interface FirstAccount {
  readonly account_number: number
  readonly user_id: string
  /** Account name in lower case, unique for its user. */
  readonly name: string
  /** Overdraft limit. */
  readonly limit_cents: number
}

export const FIRST_ACCOUNTS: readonly FirstAccount[] = [
  { account_number: 1001, user_id: 'demo', name: 'checking', limit_cents: 0 },
  { account_number: 1002, user_id: 'demo', name: 'savings', limit_cents: 0 },
  { account_number: 1003, user_id: 'demo', name: 'credit card', limit_cents: 200_000 },
  { account_number: 1004, user_id: 'demo', name: 'vacation', limit_cents: 0 },
  { account_number: 1005, user_id: 'bob', name: 'checking', limit_cents: 0 },
  { account_number: 1006, user_id: 'bob', name: 'savings', limit_cents: 0 },
]

export interface PastTransaction extends Transaction {
  readonly day: string
}

type Row = readonly [string, string, number, number, number, string | null, string]

/** The transactions, oldest first. */
const ROWS: readonly Row[] = [
  ['2026-09-01', 'demo', OUTSIDE, 1002, 830_000, 'Old Town Bank', 'brought over'],
  ['2026-09-01', 'demo', OUTSIDE, 1004, 45_000, 'Old Town Bank', 'brought over'],
  ['2026-09-01', 'bob', OUTSIDE, 1005, 131_000, 'Old Town Bank', 'brought over'],
  ['2026-09-01', 'bob', OUTSIDE, 1006, 42_055, 'Old Town Bank', 'brought over'],
  ['2026-09-30', 'demo', OUTSIDE, 1001, 320_000, 'Fjord Software', 'salary for September'],
  ['2026-10-01', 'demo', 1001, OUTSIDE, 115_000, 'Harbour Housing', 'rent for October'],
  ['2026-10-02', 'demo', 1001, 1002, 30_000, null, 'monthly savings'],
  ['2026-10-15', 'demo', 1001, OUTSIDE, 6_435, 'Northwind Energy', 'electricity'],
  ['2026-10-20', 'demo', 1003, OUTSIDE, 24_050, 'Skyline Air', 'flight to Lisbon'],
  ['2026-10-30', 'demo', OUTSIDE, 1001, 320_000, 'Fjord Software', 'salary for October'],
  ['2026-11-01', 'demo', 1001, OUTSIDE, 115_000, 'Harbour Housing', 'rent for November'],
  ['2026-11-02', 'demo', 1001, 1002, 30_000, null, 'monthly savings'],
  ['2026-11-03', 'demo', 1003, OUTSIDE, 12_990, 'City Electronics', 'keyboard'],
  ['2026-11-05', 'demo', 1001, 1003, 8_999, null, ''],
  ['2026-11-09', 'bob', 1005, OUTSIDE, 4_500, 'Metro Transit', 'monthly ticket'],
]

export const PAST_TRANSACTIONS: readonly PastTransaction[] = ROWS.map(([day, user_id, from, to, cents, party, note]) => ({
  day,
  user_id,
  from,
  to,
  cents,
  party,
  note,
}))
