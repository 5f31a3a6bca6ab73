/** The README lists the events and the reserved tools that exist. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { RESERVED_NAMES } from './loop/ending.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const source = readFileSync(new URL('events.ts', import.meta.url), 'utf8')

it('its table has a row for each event of a run', () => {
  const table = /^## Watch a run$[\s\S]*?^(\| event [\s\S]*?)\n\n/m.exec(readme)?.[1] ?? ''
  const rows = Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, type]) => type)
  const types = Array.from(source.matchAll(/readonly type: '(\w+)'/g), ([, type]) => type)
  expect(rows.sort()).toEqual(types.sort())
})

it('reserved tools have their names', () => {
  const named = Array.from(readme.matchAll(/reserved tool `(\w+)`/g), ([, name]) => name)
  expect(named).toEqual(['submit', 'finish'])
  expect(RESERVED_NAMES).toEqual(expect.arrayContaining(named))
})
