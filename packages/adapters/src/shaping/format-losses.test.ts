/** Tests losses formatted as a table. */
import { expect, it } from 'vitest'
import { formatLosses } from './format-losses.ts'

it('returns one line per loss, in columns', () => {
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

it('includes the names of tools if there are any', () => {
  expect(formatLosses([{ tool: 'search', path: '/a', keyword: 'x', action: 'dropped' }]).split('\n')).toEqual([
    'tool    path  keyword  action   note',
    'search  /a    x        dropped',
  ])
})

it('returns an empty string if nothing was lost', () => {
  expect(formatLosses([])).toBe('')
})

it('contains no control characters', () => {
  expect(formatLosses([{ path: '/a\u001b[2J\nb', keyword: 'x', action: 'dropped' }])).toContain('/a [2J b')
})
