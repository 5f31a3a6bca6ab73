import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseArguments } from './index.ts'

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')
/** The cells of each table row whose first cell is a name in backticks and whose second cell is a JSON string. */
const rows = readme
  .split('\n')
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\|? *`+ ?| ?`+ *\|?$/g, '')))
  .filter(([, text]) => text?.startsWith('"'))
const repaired = rows.filter((cells) => cells.length === 4)
const refused = rows.filter((cells) => cells.length === 3)

describe('the tables of the README', () => {
  it('have 34 repairs and 18 refusals', () => {
    expect([repaired.length, refused.length]).toEqual([34, 18])
  })

  it.each(repaired)('%s: %s', (tag, text, value) => {
    const parsed = parseArguments(JSON.parse(text as string) as string)
    expect(parsed).toMatchObject({ ok: true, value: JSON.parse(value as string), tags: expect.arrayContaining([tag]) })
  })

  it.each(refused)('%s: %s', (code, text) => {
    expect(parseArguments(JSON.parse(text as string) as string)).toMatchObject({ ok: false, code })
  })
})
