/** The bank's tables: accounts with their balances, and the ledger with all transactions. */
import type { TableSet } from '../../sql/table-sets.ts'
import { OUTSIDE } from './accounts.ts'
import { FIRST_ACCOUNTS, PAST_TRANSACTIONS } from './first-accounts.ts'
import { book } from './ledger.ts'

const TABLES = [
  // The account for the outside world has no user and no limit.
  `CREATE TABLE finance_accounts (
    account_number INTEGER PRIMARY KEY,
    user_id TEXT,
    name TEXT NOT NULL,
    balance_cents BIGINT NOT NULL,
    limit_cents BIGINT NOT NULL,
    UNIQUE (user_id, name),
    CHECK (user_id IS NULL OR balance_cents + limit_cents >= 0)
  )`,
  `CREATE TABLE finance_transactions (
    transaction_number INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    party TEXT,
    note TEXT NOT NULL,
    booked_at TEXT NOT NULL,
    idempotency_key TEXT,
    UNIQUE (user_id, idempotency_key)
  )`,
  `CREATE TABLE finance_entries (
    transaction_number INTEGER NOT NULL REFERENCES finance_transactions (transaction_number),
    account_number INTEGER NOT NULL REFERENCES finance_accounts (account_number),
    amount_cents BIGINT NOT NULL CHECK (amount_cents <> 0),
    PRIMARY KEY (transaction_number, account_number)
  )`,
]

export const financeTables: TableSet = {
  name: 'finance',
  version: 1,
  statements: TABLES,
  async fill(executor) {
    const open = (...account: [number, string | null, string, number]) =>
      executor.query(
        'INSERT INTO finance_accounts (account_number, user_id, name, balance_cents, limit_cents) VALUES ($1, $2, $3, 0, $4)',
        account,
      )
    await open(OUTSIDE, null, 'outside', 0)
    for (const { account_number, user_id, name, limit_cents } of FIRST_ACCOUNTS)
      await open(account_number, user_id, name, limit_cents)
    for (const { day, ...transaction } of PAST_TRANSACTIONS)
      await book(executor, transaction, { booked_at: `${day}T09:00:00.000Z`, idempotencyKey: '' })
  },
}
