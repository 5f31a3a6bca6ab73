/** Losses as a table. */
import { expect, it } from 'vitest'
import { formatLosses } from './format-losses.ts'

it('is one line for each loss, in columns', () => {
  const table = formatLosses([
    { path: '/properties/a', keyword: 'minimum', action: 'moved_to_description' },
    { path: '', keyword: 'anyOf', action: 'widened', note: 'one object' },
  ])
  expect(table).toBe(
    [
      'path           keyword  action                note',
      '/properties/a  minimum  moved_to_description',
      '(root)         anyOf    widened               one object',
    ].join('\n'),
  )
})

it('names the tools where there are some', () => {
  expect(formatLosses([{ tool: 'search', path: '/a', keyword: 'x', action: 'dropped' }]).split('\n')).toEqual([
    'tool    path  keyword  action   note',
    'search  /a    x        dropped',
  ])
})

it('is empty when nothing was lost', () => {
  expect(formatLosses([])).toBe('')
})

it('shows nothing that moves a cursor', () => {
  expect(formatLosses([{ path: '/a\u001b[2J\nb', keyword: 'x', action: 'dropped' }])).toContain('/a [2J b')
})
