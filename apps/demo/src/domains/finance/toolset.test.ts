import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openBank } from '../../../test/domains/finance/bank.ts'
import { type OpenDatabase, onEveryDatabase, onPostgres } from '../../../test/sql/databases.ts'
import { createDatabase } from '../../sql/database.ts'

const USD = { currency: 'USD' }
const RECEIPT = { transaction_id: 'TXN-1016', booked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }

onEveryDatabase(servesItsUsers)
onPostgres((open, server) => {
  it('moves money once for one key, even when several clients ask at the same time', async () => {
    const place = { kind: 'postgres', url: server(), schema: 'several_clients', isTemporary: false } as const
    const banks = [open(place), open(place), open(place)].map(openBank)
    const asked = { from_account: 'savings', to_account: 'checking', amount: 10 }
    const pay = { payee: 'Metro Transit', amount: 1, account: 'checking' }
    const calls = banks.flatMap((bank) => [
      bank.call('transfer_money', asked, { idempotencyKey: 'a' }),
      bank.call('pay_bill', pay, { user: 'bob' }),
    ])
    const results = await Promise.all(calls)
    expect(results.map(({ ok }) => ok)).toEqual(results.map(() => true))
    expect(new Set(results.filter((_, index) => index % 2 === 0).map((result) => JSON.stringify(result))).size).toBe(1)
    expect(await banks[1]?.balance('savings')).toBe(8890)
    expect(await banks[1]?.balance('checking', 'bob')).toBe(1262)
  })
})

function servesItsUsers(open: OpenDatabase): void {
  const demo = () => openBank(open())

  it('lists the accounts of the user', async () => {
    const bank = demo()
    expect(await bank.say('list_accounts', {})).toEqual([
      { account_id: 'ACC-1001', name: 'checking', balance: 3345.66, available: 3345.66, ...USD },
      { account_id: 'ACC-1002', name: 'savings', balance: 8900, available: 8900, ...USD },
      { account_id: 'ACC-1003', name: 'credit card', balance: -280.41, available: 1719.59, ...USD },
      { account_id: 'ACC-1004', name: 'vacation', balance: 450, available: 450, ...USD },
    ])
    expect(await bank.say('list_accounts', {}, { user: 'bob' })).toMatchObject([{ balance: 1265 }, { balance: 420.55 }])
    expect(await bank.say('list_accounts', {}, { user: 'carol' })).toEqual([])
  })

  it('takes an account by its name or id, in letters of any case', async () => {
    const bank = demo()
    for (const account of ['credit card', ' Credit Card ', 'ACC-1003', 'acc-1003'])
      expect(await bank.balance(account), account).toBe(-280.41)
  })

  it('transfers, and both accounts show it', async () => {
    const bank = demo()
    const args = { from_account: 'SAVINGS', to_account: 'acc-1003', amount: 89.99, note: 'for the keyboard' }
    const booked = { ...args, from_account: 'savings', to_account: 'credit card' }
    expect(await bank.say('transfer_money', args)).toEqual({ ...RECEIPT, ...booked, ...USD })
    expect([await bank.balance('savings'), await bank.balance('credit card')]).toEqual([8810.01, -190.42])
    const entry = { ...RECEIPT, ...USD, kind: 'transfer', note: 'for the keyboard' }
    expect(await bank.say('list_transactions', { account: 'savings', limit: 1 })).toEqual([
      { ...entry, amount: -89.99, counterparty: 'credit card' },
    ])
    expect(await bank.say('list_transactions', { account: 'credit card', limit: 1 })).toEqual([
      { ...entry, amount: 89.99, counterparty: 'savings' },
    ])
  })

  it('pays a bill, on credit too and to the last cent', async () => {
    const bank = demo()
    const args = { payee: ' Skyline Air ', amount: 1719.59, account: 'credit card' }
    expect(await bank.say('pay_bill', args)).toEqual({ ...RECEIPT, ...USD, ...args, payee: 'Skyline Air', note: '' })
    expect(await bank.balance('credit card')).toBe(-2000)
    expect(await bank.say('list_transactions', { account: 'credit card', limit: 1 })).toMatchObject([
      { kind: 'payment', amount: -1719.59, counterparty: 'Skyline Air' },
    ])
    expect(await bank.say('pay_bill', { ...args, amount: 0.01 })).toContain('"credit card" (ACC-1003): $0.00 is available')
  })

  it('lists transactions by kind, day and number, latest first', async () => {
    const bank = demo()
    const notes = async (filter: object) => {
      const rows = (await bank.say('list_transactions', { account: 'checking', ...filter })) as { note: string }[]
      return rows.map(({ note }) => note)
    }
    expect(await notes({ kind: 'payment' })).toEqual(['rent for November', 'electricity', 'rent for October'])
    expect(await notes({ kind: 'payment', limit: 1 })).toEqual(['rent for November'])
    expect(await notes({ from_date: '2026-10-02', to_date: '2026-10-15' })).toEqual(['electricity', 'monthly savings'])
    expect(await notes({ from_date: '2026-11-02' })).toEqual(['', 'monthly savings'])
    expect(await notes({ to_date: '2026-09-30', kind: 'deposit' })).toEqual(['salary for September'])
    expect(await notes({ to_date: '2026-09-29' })).toEqual([])
  })

  it('moves money once for one key, and refuses the key for something else', async () => {
    const database = open()
    const [bank, other] = [openBank(database), openBank(database)]
    const args = { from_account: 'savings', to_account: 'checking', amount: 8000 }
    const first = await bank.call('transfer_money', args, { idempotencyKey: 'run-1/1' })
    expect(first.ok).toBe(true)
    // Not enough money would be left for a second transfer.
    expect(await other.call('transfer_money', args, { idempotencyKey: 'run-1/1' })).toEqual(first)
    expect(await bank.balance('savings')).toBe(900)
    const again = (changed: object) => bank.say('transfer_money', { ...args, ...changed }, { idempotencyKey: 'run-1/1' })
    for (const changed of [{ amount: 10 }, { from_account: 'checking', to_account: 'savings' }, { note: 'x' }])
      expect(await again(changed)).toContain('No money was moved: this call has the idempotency key of TXN-1016')
    const bill = { payee: 'Skyline Air', amount: 8000, account: 'savings' }
    expect(await bank.say('pay_bill', bill, { idempotencyKey: 'run-1/1' })).toContain('No money was moved')
    expect(await bank.balance('savings')).toBe(900)
    const bobs = await bank.say('transfer_money', { ...args, amount: 1 }, { user: 'bob', idempotencyKey: 'run-1/1' })
    expect(bobs).toMatchObject({ transaction_id: 'TXN-1017', amount: 1 })
  })

  it('pays a bill once per key, and at every call without a key', async () => {
    const bank = demo()
    const bill = { payee: 'Northwind Energy', amount: 100.1, account: 'vacation' }
    const first = await bank.call('pay_bill', bill, { idempotencyKey: 'k' })
    expect(await bank.call('pay_bill', bill, { idempotencyKey: 'k' })).toEqual(first)
    expect(await bank.balance('vacation')).toBe(349.9)
    await bank.call('pay_bill', bill)
    await bank.call('pay_bill', bill, { idempotencyKey: '' })
    expect(await bank.balance('vacation')).toBe(149.7)
  })

  it('serves one of several parallel calls when the money suffices for one', async () => {
    const bank = demo()
    const pay = () => bank.call('pay_bill', { payee: 'Skyline Air', amount: 400, account: 'vacation' })
    const results = await Promise.all([pay(), pay(), pay()])
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await bank.balance('vacation')).toBe(50)
  })
}

describe('the bank refuses', () => {
  // All tests share the database, because a refused call changes nothing.
  const database = createDatabase({ kind: 'sqlite', file: ':memory:' })
  const bank = openBank(database)
  afterAll(() => database.close())
  const transfer = { from_account: 'savings', to_account: 'checking', amount: 10 }
  const bill = { payee: 'Skyline Air', amount: 10, account: 'checking' }
  const accounts = '"checking" (ACC-1001), "savings" (ACC-1002), "credit card" (ACC-1003), "vacation" (ACC-1004).'
  it.each<readonly [string, string, Record<string, unknown>, string]>([
    ['an amount of 0 (T3-25)', 'transfer_money', { ...transfer, amount: 0 }, '/amount must be > 0'],
    ['a negative amount (T3-25)', 'transfer_money', { ...transfer, amount: -200 }, '/amount must be > 0'],
    ['a negative bill', 'pay_bill', { ...bill, amount: -1 }, '/amount must be > 0'],
    ['too large an amount', 'transfer_money', { ...transfer, amount: 1_000_000.01 }, '/amount must be <= 1000000'],
    ['a third decimal', 'transfer_money', { ...transfer, amount: 89.999 }, '89.999 has more than two decimals'],
    ['a bill with a third decimal', 'pay_bill', { ...bill, amount: 0.001 }, '0.001 has more than two decimals'],
    [
      'more than there is (T3-25)',
      'transfer_money',
      { ...transfer, amount: 8900.01 },
      'Not enough money in "savings" (ACC-1002): $8,900.00 is available, $8,900.01 was requested. No money was moved',
    ],
    ['a bill above the limit', 'pay_bill', { ...bill, account: 'credit card', amount: 1720 }, '$1,719.59 is available'],
    ['the same account', 'transfer_money', { ...transfer, to_account: 'acc-1002' }, '"savings" and "acc-1002" are the same'],
    ['an unknown account', 'get_balance', { account: 'pension' }, `no account "pension". The accounts are ${accounts}`],
    ['an unknown target', 'transfer_money', { ...transfer, to_account: "x' OR 1=1 --" }, 'There is no account "x\' OR 1=1 --"'],
    ['a bill to an own account', 'pay_bill', { ...bill, payee: 'Credit Card' }, 'Transfer money to it instead'],
    ['a bill without a payee', 'pay_bill', { ...bill, payee: ' ' }, 'The payee is missing'],
    ['an invalid day', 'list_transactions', { account: 'checking', from_date: '2026-13-01' }, '/from_date'],
    [
      'days in the wrong order',
      'list_transactions',
      { account: 'checking', from_date: '2026-11-01', to_date: '2026-10-01' },
      'from_date 2026-11-01 is after to_date 2026-10-01',
    ],
  ])('%s', async (_, name, args, message) => {
    const before = await bank.say('list_accounts', {})
    expect(await bank.say(name, args)).toContain(message)
    expect(await bank.say('list_accounts', {})).toEqual(before)
  })

  it.each([
    ['get_balance', { account: 'ACC-1002' }],
    ['list_transactions', { account: 'ACC-1002' }],
    ['transfer_money', { from_account: 'ACC-1002', to_account: 'checking', amount: 1 }],
    ['transfer_money', { from_account: 'checking', to_account: 'ACC-1002', amount: 1 }],
    ['pay_bill', { payee: 'Metro Transit', amount: 1, account: 'ACC-1002' }],
  ])("another user's account in %s %j", async (name, args) => {
    const message = 'There is no account "ACC-1002". The accounts are "checking" (ACC-1005), "savings" (ACC-1006).'
    expect(await bank.say(name, args, { user: 'bob' })).toContain(message)
    expect([await bank.balance('savings'), await bank.balance('checking', 'bob')]).toEqual([8900, 1265])
  })

  it('the account for outside parties, a user without accounts, and a call without a user', async () => {
    expect(await bank.say('get_balance', { account: 'ACC-1000' })).toContain('There is no account "ACC-1000"')
    const noAccounts = 'There is no account "checking": this user has no accounts, and no tool can open one.'
    expect(await bank.say('get_balance', { account: 'checking' }, { user: 'carol' })).toContain(noAccounts)
    expect(await bank.call('list_accounts', {}, { user: '' })).toMatchObject({ ok: false })
  })
})

describe('a bank in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bank-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('remembers idempotency keys from one process to the next', async () => {
    const run = async () => {
      const database = createDatabase({ kind: 'sqlite', file: join(folder, 'bank.sqlite') })
      const bank = openBank(database)
      const args = { from_account: 'savings', to_account: 'vacation', amount: 100 }
      const result = await bank.call('transfer_money', args, { idempotencyKey: 'after a crash' })
      const balance = await bank.balance('savings')
      await database.close()
      return { result, balance }
    }
    const first = await run()
    expect(first).toMatchObject({ result: { ok: true }, balance: 8800 })
    expect(await run()).toEqual(first)
  })
})
