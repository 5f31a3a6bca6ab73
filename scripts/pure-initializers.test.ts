import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { annotateInitializers } from './pure-initializers.mjs'

const require = createRequire(import.meta.url)
/** vite's own copy of esbuild. */
const { build } = createRequire(require.resolve('vite/package.json'))('esbuild')

describe('annotateInitializers', () => {
  it.each([
    ['a spread list', 'const ALL = [...SOME, 1]', 'const ALL = /* @__PURE__ */ (() => ([...SOME, 1]))()'],
    ['a spread object', 'const ALL = { ...SOME, a: 1 }', 'const ALL = /* @__PURE__ */ (() => ({ ...SOME, a: 1 }))()'],
    ['a computed key', 'const BY = { [KEY]: 1 }', 'const BY = /* @__PURE__ */ (() => ({ [KEY]: 1 }))()'],
    ['a member', 'const SIZE = TABLE.size', 'const SIZE = /* @__PURE__ */ (() => (TABLE.size))()'],
    ['a call of a method', 'const KEYS = Object.keys(TABLE)', 'const KEYS = /* @__PURE__ */ (() => (Object.keys(TABLE)))()'],
    ['a call with a spread list', 'const SET = new Set([...SOME])', 'const SET = /* @__PURE__ */ (() => (new Set([...SOME])))()'],
    ['a sum', "const TEXT = 'a' + B", "const TEXT = /* @__PURE__ */ (() => ('a' + B))()"],
    [
      'a class with a computed name',
      'export class A extends B {\n  get [KEY](): true { return true }\n}',
      'export const A = /* @__PURE__ */ (() => class A extends B {\n  get [KEY](): true { return true }\n})()',
    ],
    ['an expression that esbuild rewrites', 'const DASH = /–/u', 'const DASH = /* @__PURE__ */ (() => (/–/u))()'],
  ])('wraps %s', (_title, text, expected) => {
    expect(annotateInitializers(text)).toBe(expected)
  })

  it.each([
    ['a call', 'export const TABLE = build(OPTIONS)', 'export const TABLE = /* @__PURE__ */ build(OPTIONS)'],
    ['new', "const SET = new MarkerSet({ a: ['b'] })", "const SET = /* @__PURE__ */ new MarkerSet({ a: ['b'] })"],
    ['a type', 'const LIST: readonly A[] = a() as A[]', 'const LIST: readonly A[] = /* @__PURE__ */ a() as A[]'],
    [
      'a call inside another',
      'const ALL = [one, build({ a: loose() })]',
      'const ALL = [one, /* @__PURE__ */ build({ a: /* @__PURE__ */ loose() })]',
    ],
    ['two constants', 'const A = a(),\n  B = b()', 'const A = /* @__PURE__ */ a(),\n  B = /* @__PURE__ */ b()'],
  ])('annotates %s', (_title, text, expected) => {
    expect(annotateInitializers(text)).toBe(expected)
  })

  it.each([
    'const LIMIT = -10',
    "const WORDS = ['a', LIMIT, null, true] as const",
    "const RULE = { a: 'b', LIMIT, read() {}, test: /^a+$/u } satisfies Rule",
    'const read = (text: string) => build(text)',
    'let count: number | undefined',
    'export function read() { const table = build() }',
    'export class Table { readonly size = build() }',
    'export abstract class Table { [KEY]() {} }',
    "import { a } from './a.ts'\nexport { a }",
  ])('leaves %j', (text) => {
    expect(annotateInitializers(text)).toBe(text)
  })

  it('imports the names of a list of exports instead of its namespace', () => {
    const read = (file: string) =>
      file === './all.ts' ? "/** All. */\nexport { b } from './b.ts'\nexport { a } from './a.ts'" : ''
    expect(annotateInitializers("import * as all from './all.ts'\nconst LIST = Object.values(all)", read)).toBe(
      "import { a as all_a, b as all_b } from './all.ts'; const all = { a: all_a, b: all_b }\n" +
        'const LIST = /* @__PURE__ */ (() => (Object.values(all)))()',
    )
  })

  it('leaves the namespace of a module that declares something', () => {
    const text = "import * as prompts from './prompts.ts'"
    expect(annotateInitializers(text, () => 'export function ask() {}')).toBe(text)
  })

  it('throws for a statement that bundlers would drop or always keep', () => {
    expect(() => annotateInitializers('register(TABLE)')).toThrow(/must only declare something.*register\(TABLE\)/)
    expect(() => annotateInitializers('for (const name of NAMES) table.set(name, 1)')).toThrow(/must only declare something.*for/)
  })

  it('throws for a destructured call, which bundlers never drop', () => {
    expect(() => annotateInitializers('const { a, b } = build()')).toThrow(/Name the result: \{ a, b \} = build\(\)/)
  })

  it('lets esbuild drop what nothing uses', async () => {
    const text =
      'const SHARED = build()\nexport const used = [...SHARED]\nexport const unused = read(SHARED.other)\n' +
      'export const unusedToo = new Table([{ a: read() }])\nexport class UnusedError extends Error { [read()] = 1 }'
    const bundled = await bundle(annotateInitializers(text) + DECLARED)
    expect(bundled).toContain('used')
    expect(bundled).not.toMatch(/unused|read|Table|Error/)
    expect(await bundle(text + DECLARED)).toMatch(/unused/)
  })
})

const DECLARED = '\nfunction build() { return [1] }\nfunction read() {}\nclass Table {}'

interface Setup {
  onResolve(filter: object, resolve: () => object): void
  onLoad(filter: object, load: () => object): void
}

/** Bundles a program that imports only `used`. */
async function bundle(library: string): Promise<string> {
  const { outputFiles } = await build({
    ...{ stdin: { contents: "import { used } from 'library'\nconsole.log(used)" }, bundle: true, write: false, format: 'esm' },
    plugins: [
      {
        name: 'library',
        setup: (given: Setup) => {
          given.onResolve({ filter: /^library$/ }, () => ({ path: 'library', namespace: 'library' }))
          given.onLoad({ filter: /.*/, namespace: 'library' }, () => ({ contents: library, loader: 'ts' }))
        },
      },
    ],
  })
  return outputFiles[0]?.text ?? ''
}
