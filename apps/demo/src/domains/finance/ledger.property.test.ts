import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { openBank } from '../../../test/domains/finance/bank.ts'
import { createDatabase } from '../../sql/database.ts'
import type { SqlClient } from '../../sql/sql-client.ts'
import { OUTSIDE } from './accounts.ts'
import { FIRST_ACCOUNTS } from './first-accounts.ts'
import { financeTables } from './schema.ts'

interface Operation {
  readonly user: string
  readonly from: number
  readonly to: number
  readonly cents: number
  readonly key: string
}

const ids = FIRST_ACCOUNTS.map(({ account_number }) => account_number)
const operation: fc.Arbitrary<Operation> = fc.record({
  user: fc.constantFrom('demo', 'demo', 'bob'),
  from: fc.constantFrom(...ids),
  to: fc.constantFrom(OUTSIDE, ...ids),
  cents: fc.oneof(fc.integer({ min: -100, max: 400_000 }), fc.constantFrom(1, 8999)),
  key: fc.constantFrom('', '', 'a', 'b'),
})

/** Generates operations, some of which are repeated, as after a crash. */
const operations = fc
  .array(fc.tuple(operation, fc.boolean()), { maxLength: 20 })
  .map((asked) => asked.flatMap(([each, isRepeated]) => (isRepeated ? [each, each] : [each])))

const database = createDatabase({ kind: 'sqlite', file: ':memory:' })
const bank = openBank(database)
afterAll(() => database.close())

it('money is neither created nor lost, whatever the requests', async () => {
  const client = await database.connect(financeTables)
  await fc.assert(
    fc.asyncProperty(operations, async (everything) => {
      await startAnew(client)
      const model = createModel(await readBalances(client))
      for (const asked of everything) expect(await ask(asked)).toBe(model.apply(asked))
      expect(await readBalances(client)).toEqual(model.balances)
      await expectSoundLedger(client)
    }),
  )
})

/** Sends the operation to the bank. Returns true if the bank accepted it. */
async function ask({ user, from, to, cents, key }: Operation): Promise<boolean> {
  const as = { user, idempotencyKey: key }
  const amount = cents / 100
  const result =
    to === OUTSIDE
      ? await bank.call('pay_bill', { payee: 'Ann', amount, account: `ACC-${from}` }, as)
      : await bank.call('transfer_money', { from_account: `ACC-${from}`, to_account: `ACC-${to}`, amount }, as)
  return result.ok
}

function startAnew(client: SqlClient): Promise<void> {
  return client.transaction(async (executor) => {
    for (const table of ['entries', 'transactions', 'accounts']) await executor.query(`DELETE FROM finance_${table}`)
    await financeTables.fill(executor)
  })
}

/** Implements the rules a second time, without a database. */
function createModel(balances: Map<number, number>) {
  const booked = new Map<string, string>()
  const owners = new Map(FIRST_ACCOUNTS.map(({ account_number, user_id }) => [account_number, user_id]))
  const limits = new Map(FIRST_ACCOUNTS.map(({ account_number, limit_cents }) => [account_number, limit_cents]))
  const held = (account: number) => balances.get(account) ?? 0
  return {
    balances,
    /** Applies an operation. Returns true if the bank must accept it. */
    apply({ user, from, to, cents, key }: Operation): boolean {
      const isOwn = owners.get(from) === user && (to === OUTSIDE || owners.get(to) === user)
      if (!isOwn || from === to || cents <= 0) return false
      const asked = `${from} ${to} ${cents}`
      const earlier = key === '' ? undefined : booked.get(`${user} ${key}`)
      if (earlier !== undefined) return earlier === asked
      if (held(from) + (limits.get(from) ?? 0) < cents) return false
      balances.set(from, held(from) - cents)
      balances.set(to, held(to) + cents)
      if (key !== '') booked.set(`${user} ${key}`, asked)
      return true
    },
  }
}

async function readBalances(client: SqlClient): Promise<Map<number, number>> {
  const rows = await client.query<{ account_number: number; balance_cents: number }>('SELECT * FROM finance_accounts')
  return new Map(rows.map(({ account_number, balance_cents }) => [account_number, balance_cents]))
}

/**
 * Expects that all balances sum to zero, that each is the sum of its entries, and that each transaction has two entries that cancel out.
 */
async function expectSoundLedger(client: SqlClient): Promise<void> {
  const sums = await client.query<{ account_number: number; cents: number }>(
    'SELECT account_number, sum(amount_cents) AS cents FROM finance_entries GROUP BY account_number',
  )
  const balances = await readBalances(client)
  expect([...balances.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0)
  expect(new Map(sums.map(({ account_number, cents }) => [account_number, cents]))).toEqual(balances)
  const unsound = await client.query(
    `SELECT transaction_number FROM finance_transactions LEFT JOIN finance_entries USING (transaction_number)
     GROUP BY transaction_number HAVING count(amount_cents) <> 2 OR sum(amount_cents) <> 0`,
  )
  expect(unsound).toEqual([])
}
