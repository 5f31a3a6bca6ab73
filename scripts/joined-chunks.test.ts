import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { findShared } from './joined-chunks.mjs'

const KIB = 1024
const ENTRIES = ['src/index.ts', 'src/testing.ts'].map((path) => resolve(path))

/** Outputs of esbuild: two entries that share `chunk-a.js` and `chunk-b.js`, and change of these. */
function outputs(change: object = {}) {
  return {
    'dist/index.js': { entryPoint: 'src/index.ts', ...file(KIB, 'dist/chunk-a.js', 'dist/chunk-b.js') },
    'dist/testing.js': { entryPoint: 'src/testing.ts', ...file(KIB, 'dist/chunk-a.js') },
    'dist/chunk-a.js': { ...file(KIB), inputs: { 'src/a.ts': {} } },
    'dist/chunk-b.js': { ...file(KIB), inputs: { 'src/b.ts': {}, '../node_modules/b.js': {} } },
    ...change,
  }
}

function file(bytes: number, ...paths: readonly string[]) {
  return { bytes, imports: paths.map((path) => ({ kind: 'import-statement', path })), inputs: {} }
}

const find = (change?: object) => {
  const { shared, entries } = findShared(outputs(change), ENTRIES)
  return { shared, entries: [...entries] }
}

it('joins the small files that entries share', () => {
  expect(find()).toEqual({ shared: ['src/a.ts', 'src/b.ts'].map((path) => resolve(path)), entries: ENTRIES })
})

it.each([
  ['is large', { ...file(20 * KIB), inputs: { 'src/b.ts': {} } }],
  ['imports a large one', { ...file(KIB, 'dist/chunk-c.js'), inputs: { 'src/b.ts': {} } }],
  [
    'imports a package that an entry does not need',
    { bytes: KIB, imports: [{ kind: 'import-statement', path: 'ajv', external: true }], inputs: { 'src/b.ts': {} } },
  ],
])('leaves a file that %s', (_title, chunk) => {
  const large = { ...file(20 * KIB), inputs: { 'src/c.ts': {} } }
  expect(find({ 'dist/chunk-b.js': chunk, 'dist/chunk-c.js': large }).shared).toEqual([resolve('src/a.ts')])
})

it('leaves a file that a dynamic import loads, and an entry that shares nothing', () => {
  const change = {
    'dist/search.js': { entryPoint: 'src/search.ts', ...file(KIB, 'dist/chunk-b.js') },
    'dist/testing.js': { entryPoint: 'src/testing.ts', ...file(KIB) },
  }
  expect(find(change)).toEqual({ shared: [resolve('src/a.ts')], entries: [resolve('src/index.ts')] })
})
