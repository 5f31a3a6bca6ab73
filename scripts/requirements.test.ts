/** Checks the form of scripts/requirements.md. `npm test` compares the named tests with those that have run. */
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claims, claimsOf, findMissingTests, NAMED, page, rowOf, rows } from './requirements.mjs'

const root = resolve(import.meta.dirname, '..')

describe('scripts/requirements.md', () => {
  it.each([
    ['0.', 1, 39],
    ['1.', 1, 29],
    ['2.', 1, 20],
    ['3.', 1, 37],
    ['4.', 1, 27],
    ['T0-', 1, 37],
    ['T1-', 1, 25],
    ['T2-', 1, 29],
    ['T3-', 1, 26],
    ['T4-', 1, 31],
  ])('has a row for each of %s%i to %i, and no other', (prefix, first, last) => {
    const expected = Array.from({ length: last - first + 1 }, (_, index) => `${prefix}${first + index}`)
    expect([...rows.keys()].filter((id) => id.startsWith(prefix))).toEqual(expected)
  })

  it('has no row twice', () => {
    expect(page.split('\n').flatMap(rowOf)).toHaveLength(rows.size)
  })

  it('names a test or a file in every row', () => {
    const empty = [...rows].filter(([, held]) => claimsOf(held).length === 0 && !/not here yet|this page/.test(held))
    expect(empty).toEqual([])
  })

  it('names no test before its file', () => {
    const early = [...rows].filter(([, held]) => (/^[^[]*/.exec(held)?.[0].match(NAMED) ?? []).length > 0)
    expect(early).toEqual([])
  })

  it('reads tests behind a link into a file', () => {
    expect(claimsOf('[a](../a.test.ts) T1-1; [b](../b.test.ts#part) T2-2 "some words"').map(({ tests }) => tests)).toEqual([
      ['T1-1'],
      ['T2-2', '"some words"'],
    ])
  })

  it('names only files that are there', () => {
    expect(
      claims
        .map(({ file }) => file)
        .filter((file) => !existsSync(file))
        .map(shown),
    ).toEqual([])
  })

  it('names a test of every file of tests', () => {
    const vague = claims.filter(({ file, tests }) => /\.test(-d)?\.ts$/.test(file) && tests.length === 0)
    expect(vague.map(({ file }) => shown(file))).toEqual([])
  })

  it('is missing a test whose name has changed, in the file that it links to', () => {
    const [{ file, tests }] = claims.filter(({ tests }) => tests.length > 1) as [{ file: string; tests: string[] }]
    const named = tests.map((test) => `before ${test.replaceAll('"', '').replaceAll('\\|', '|')} after`)
    const only = [{ file, tests }]
    expect(findMissingTests(new Map([[file, named]]), only)).toEqual([])
    expect(findMissingTests(new Map([[file, named.slice(1)]]), only)).toEqual([`${shown(file)}: ${tests[0]}`])
  })
})

function shown(file: string): string {
  return relative(root, file)
}
