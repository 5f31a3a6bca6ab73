/** The bank of an example: a database file that outlives the agents, and the transactions in it. */
import { join } from 'node:path'
import { PAST_TRANSACTIONS } from '../domains/finance/first-accounts.ts'
import { formatCents } from '../domains/finance/money.ts'
import { financeTables } from '../domains/finance/schema.ts'
import { createDatabase } from '../sql/database.ts'
import type { DatabasePlace } from '../sql/place.ts'

export function bankIn(folder: string): DatabasePlace {
  return { kind: 'sqlite', file: join(folder, 'bank.sqlite') }
}

/**
 * Returns the transactions since the bank was created, oldest first, such as `$200.00 from savings to checking`. Opens and closes the
 * database.
 */
export async function readBookings(place: DatabasePlace): Promise<readonly string[]> {
  const database = createDatabase(place)
  try {
    const client = await database.connect(financeTables)
    const rows = await client.query<BookingRow>(
      `SELECT given.amount_cents AS cents, payer.name AS payer, coalesce(party, payee.name) AS payee
       FROM finance_transactions booked
       JOIN finance_entries taken ON taken.transaction_number = booked.transaction_number AND taken.amount_cents < 0
       JOIN finance_entries given ON given.transaction_number = booked.transaction_number AND given.amount_cents > 0
       JOIN finance_accounts payer ON payer.account_number = taken.account_number
       JOIN finance_accounts payee ON payee.account_number = given.account_number
       ORDER BY booked.transaction_number`,
    )
    return rows
      .slice(PAST_TRANSACTIONS.length)
      .map(({ cents, payer, payee }) => `${formatCents(cents)} from ${payer} to ${payee}`)
  } finally {
    await database.close()
  }
}

interface BookingRow {
  readonly cents: number
  readonly payer: string
  readonly payee: string
}
