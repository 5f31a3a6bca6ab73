/** Reads scripts/requirements.md: its rows, and the tests that they name. */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
/** Matches the id of a test, or words from its name in quotes. */
export const NAMED = /"[^"]+"|\bT\d-\d+\b/g
export const page = readFileSync(join(root, 'scripts/requirements.md'), 'utf8')
export const rows = new Map(page.split('\n').flatMap((line) => rowOf(line)))
export const claims = [...rows.values(), ...page.split('\n').filter((line) => !line.startsWith('|'))].flatMap(claimsOf)

/** Returns the named tests that aren't in `names`, which has the names of each file's tests. Files without an entry are read as text. */
export function findMissingTests(names, from = claims) {
  return from.flatMap(({ file, tests }) => {
    const found = names.get(file) ?? [existsSync(file) ? readFileSync(file, 'utf8') : '']
    return tests.filter((test) => !found.some((name) => holds(name, test))).map((test) => `${relative(root, file)}: ${test}`)
  })
}

/** Returns `[[id, text]]` for a row of a table, and `[]` for another line. */
export function rowOf(line) {
  const [, id = '', , held = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
  return /^(?:\d\.|T\d-)\d+$/.test(id) ? [[id, held]] : []
}

/** Returns the links to files of this repository, each with the tests that are named between it and the next link. */
export function claimsOf(text) {
  return text.split(/(?=\[[^\]]*\]\()/).flatMap((part) => {
    const path = /^\[[^\]]*\]\(([^)#]+)(?:#[^)]*)?\)/.exec(part)?.[1]
    if (path === undefined) return []
    return [{ file: join(root, 'scripts', path), tests: part.slice(part.indexOf(')')).match(NAMED) ?? [] }]
  })
}

/** Returns true if the text contains the name. */
function holds(name, test) {
  if (test.startsWith('"')) return name.includes(test.slice(1, -1).replaceAll('\\|', '|'))
  return new RegExp(`\\b${test}\\b`).test(name)
}
