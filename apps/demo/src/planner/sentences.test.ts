import { describe, expect, it } from 'vitest'
import { observation } from './sentences.ts'

function sentence(data: unknown): string {
  const text = JSON.stringify(data)
  return observation({ name: 'look_up', arguments: '{}', result: text, isError: false }, { text, data, rows: [] })
}

describe('an amount', () => {
  it('has two decimals and the currency of its object', () => {
    expect(sentence({ name: 'savings', balance: -1250.5, currency: 'USD' })).toBe('Look up: name: savings, balance: -$1,250.50.')
    expect(sentence([{ title: 'A walk', total_price: 40, seats: 2, currency: 'EUR' }])).toBe(
      'Look up: A walk (total price: €40.00, seats: 2).',
    )
  })

  it('has the currency of the object around it', () => {
    const data = { items: [{ name: 'Lamp', quantity: 2, price: 9.9 }], total: 19.8, currency: 'USD' }
    expect(sentence(data)).toBe('Look up: Lamp (quantity: 2, price: $9.90) (total: $19.80).')
    expect(sentence({ order: { items: [{ name: 'Lamp', price: 9.9, currency: 'GBP' }], total: 1 }, currency: 'USD' })).toBe(
      'Look up: order: items: Lamp (price: £9.90), total: $1.00, currency: USD.',
    )
  })

  it('stays a plain number without a currency, and a currency without an amount stays a field', () => {
    expect(sentence({ price: 40, total: 3 })).toBe('Look up: price: 40, total: 3.')
    expect(sentence({ price: 40, currency: 'coins' })).toBe('Look up: price: 40, currency: coins.')
    expect(sentence({ country: 'Norway', currency: 'NOK' })).toBe('Look up: country: Norway, currency: NOK.')
  })
})

describe('a long result', () => {
  it('is cut, with the number of the rows that are left out', () => {
    const rows = Array.from({ length: 250 }, (_, index) => ({ name: `${'row '.repeat(20)}${index}` }))
    const text = sentence(rows)
    expect(text).toMatch(/row 17; and 232 more\.$/)
    expect(sentence(rows.slice(0, 11))).toMatch(/row 10\.$/)
  })

  it('is cut, with the number of the fields that are left out', () => {
    const fields = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`f${index}`, index]))
    expect(sentence(fields)).toMatch(/f 11: 11, and 3 more\.$/)
  })
})
