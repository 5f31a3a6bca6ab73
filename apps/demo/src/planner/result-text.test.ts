import { describe, expect, it } from 'vitest'
import { tool } from '../../test/run-task.ts'
import { resultText } from './result-text.ts'
import { failure } from './sentences.ts'
import { readCatalog } from './tools/catalog.ts'

function textOf(data: unknown, name = 'find_lamps'): string {
  const [offer] = readCatalog([tool(name, '')]).offers
  return resultText(name, { text: JSON.stringify(data), data, rows: [], offer })
}

describe('a result', () => {
  it('that is a list has one line for each row, with its name, its id and its other fields', () => {
    const rows = [
      { lamp_id: 'LMP-1', name: 'Luna', height: 30, note: '' },
      { lamp_id: 'LMP-2', name: 'Sol', height: 45, is_new: true },
    ]
    expect(textOf(rows)).toBe('2 lamps:\n- Luna (LMP-1): height 30\n- Sol (LMP-2): height 45, is new: yes')
    expect(textOf(rows.slice(0, 1))).toBe('Luna (LMP-1): height 30.')
  })

  it('that is a list of names is one sentence', () => {
    expect(
      textOf([
        { name: 'Luna', code: 'lu' },
        { name: 'Sol', code: 'so' },
      ]),
    ).toBe('2 lamps: Luna (lu), Sol (so).')
  })

  it('that is empty says what was not found', () => {
    expect(textOf([])).toBe('No lamps were found.')
    expect(textOf({ items: [], total: 0, currency: 'USD' })).toBe('No items were found. Total $0.00.')
    expect(textOf(null)).toBe('Nothing was found.')
  })

  it('that has a single field is its value', () => {
    expect(textOf({ hint: 'look under the lamp' })).toBe('Look under the lamp.')
    expect(textOf({ count: 3 })).toBe('The count is 3.')
  })

  it('of an acting tool starts with what was done', () => {
    expect(textOf({ lamp_id: 'LMP-1', name: 'Luna' }, 'add_lamp')).toBe('Added lamp. Luna (LMP-1).')
    expect(textOf(null, 'add_lamp')).toBe('Added lamp.')
    expect(textOf({ removed: false }, 'lamp_remove')).toBe('Not removed.')
    expect(textOf({ name: 'Luna', cancelled: true }, 'cancel_lamp')).toBe('Cancelled lamp. Luna.')
    expect(textOf({ cleared: 3 }, 'clear_lamps')).toBe('Cleared lamps. 3 cleared.')
  })

  it('shows times in UTC, to the minute', () => {
    const lamp = { name: 'Luna', made_on: '2026-11-05', sold_at: '2026-11-05T09:00:00.000Z', code_of_day: '2026-99-99' }
    expect(textOf(lamp)).toBe('Luna: made on 2026-11-05, sold at 2026-11-05 09:00, code of day 2026-99-99.')
  })
})

describe('an amount', () => {
  it('has two decimals and the currency of its object', () => {
    expect(textOf({ name: 'savings', balance: -1250.5, currency: 'USD' })).toBe('Savings: balance -$1,250.50.')
    expect(textOf([{ title: 'A walk', total_price: 40, seats: 2, currency: 'EUR' }])).toBe('A walk: total price €40.00, seats 2.')
  })

  it('has the currency of the object around it', () => {
    const data = { items: [{ name: 'Lamp', quantity: 2, price: 9.9 }], total: 19.8, currency: 'USD' }
    expect(textOf(data)).toBe('Lamp: quantity 2, price $9.90. Total $19.80.')
    expect(textOf({ order: { items: [{ name: 'Lamp', price: 9.9, currency: 'GBP' }], total: 1 }, currency: 'USD' })).toBe(
      'Order: items: Lamp: price £9.90, total $1.00, currency USD.',
    )
  })

  it('stays a plain number without a currency, and a currency without an amount stays a field', () => {
    expect(textOf({ price: 40, total: 3 })).toBe('Price 40, total 3.')
    expect(textOf({ price: 40, currency: 'coins' })).toBe('Price 40, currency coins.')
    expect(textOf({ country: 'Norway', currency: 'NOK' })).toBe('Country Norway, currency NOK.')
  })
})

describe('a long result', () => {
  it('is cut, with the number of the rows that are left out', () => {
    const rows = Array.from({ length: 250 }, (_, index) => ({ name: `${'row '.repeat(20)}${index}`, size: 1 }))
    expect(textOf(rows)).toMatch(/^250 lamps:\n.*row 9: size 1\n- and 240 more$/s)
    expect(textOf(rows.slice(0, 11))).toMatch(/row 10: size 1$/)
  })

  it('is cut, with the number of the fields that are left out', () => {
    const fields = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`f${index}`, index]))
    expect(textOf(fields)).toMatch(/f 11 11, and 3 more\.$/)
  })
})

it.each([
  ['Reason: too expensive', 'Too expensive.'],
  ["Don't make the same call again.", undefined],
])('the sentence about a rejected call has only the reason of the approver: %s', (words, reason) => {
  const sentence = failure(`Error: The approver rejected this call, so it was not run. ${words}`)
  expect(sentence.toLowerCase()).toBe(
    ["this wasn't approved, so nothing was changed.", ...(reason === undefined ? [] : [reason.toLowerCase()])].join(' '),
  )
})
