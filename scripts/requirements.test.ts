/** Checks scripts/requirements.md: it must have every row, and vitest must run every test that it names. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
/** Matches the id of a test, or words from its name in quotes. */
const NAMED = /"[^"]+"|\bT\d-\d+\b/g
const page = readFileSync(join(root, 'scripts/requirements.md'), 'utf8')
const rows = new Map(page.split('\n').flatMap((line) => rowOf(line)))
const claims = [...rows.values(), ...page.split('\n').filter((line) => !line.startsWith('|'))].flatMap(claimsOf)

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

  it('names only tests that vitest runs', { timeout: 600_000 }, () => {
    const named = claims.map(({ file }) => file).filter((file) => file.endsWith('.test.ts'))
    const names = namesOf([...new Set(named)])
    const missing = claims.flatMap(({ file, tests }) => {
      const found = names.get(file) ?? [existsSync(file) ? readFileSync(file, 'utf8') : '']
      return tests.filter((test) => !found.some((name) => holds(name, test))).map((test) => `${shown(file)}: ${test}`)
    })
    expect(missing).toEqual([])
  })
})

interface Claim {
  readonly file: string
  /** Test ids, or quoted words from test names. */
  readonly tests: readonly string[]
}

function rowOf(line: string): [id: string, held: string][] {
  const [, id = '', , held = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
  return /^(?:\d\.|T\d-)\d+$/.test(id) ? [[id, held]] : []
}

/** Returns the links to files of this repository, each with the tests that are named between it and the next link. */
function claimsOf(text: string): Claim[] {
  return text.split(/(?=\[[^\]]*\]\()/).flatMap((part) => {
    const path = /^\[[^\]]*\]\(([^)#]+)(?:#[^)]*)?\)/.exec(part)?.[1]
    if (path === undefined) return []
    return [{ file: join(root, 'scripts', path), tests: part.slice(part.indexOf(')')).match(NAMED) ?? [] }]
  })
}

/** Returns the names of the tests that vitest finds in the files, without running them. */
function namesOf(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'x-list-'))
  try {
    const list = join(folder, 'tests.json')
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    execFileSync(process.execPath, [vitest, 'list', `--json=${list}`, ...files], { cwd: root, stdio: 'pipe' })
    const tests: { readonly name: string; readonly file: string }[] = JSON.parse(readFileSync(list, 'utf8'))
    return new Map(files.map((file) => [file, tests.filter((test) => test.file === file).map(({ name }) => name)]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns true if the text contains the name. Type tests have no names, so the text of the whole file is searched. */
function holds(name: string, test: string): boolean {
  if (test.startsWith('"')) return name.includes(test.slice(1, -1).replaceAll('\\|', '|'))
  return new RegExp(`\\b${test}\\b`).test(name)
}

function shown(file: string): string {
  return relative(root, file)
}
