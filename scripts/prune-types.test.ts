import { describe, expect, it } from 'vitest'
import { pruneTypes } from './prune-types.mjs'

describe('pruneTypes', () => {
  it('keeps what an entry exports, and what its types need of other files', () => {
    const pruned = prune({
      'index.d.ts': "export { run } from './run.ts';\n",
      'run.d.ts':
        "import { type Used, type Unused } from './types.ts';\nimport { type Lost } from './lost.ts';\n/** Runs. */\nexport declare function run(used: Used): void;\nexport declare function inner(unused: Unused, lost: Lost): void;\nexport {};\n",
      'types.d.ts': 'interface Base {\n}\nexport interface Used extends Base {\n}\nexport interface Unused {\n}\n',
      'lost.d.ts': 'export interface Lost {\n}\n',
    })
    expect(pruned).toEqual({
      'index.d.ts': "export { run } from './run.ts';\n",
      'run.d.ts':
        "import { type Used } from './types.ts';\n/** Runs. */\nexport declare function run(used: Used): void;\nexport {};\n",
      'types.d.ts': 'interface Base {\n}\nexport interface Used extends Base {\n}\n',
    })
  })

  it.each([
    ['export * from', "export * from './a.ts';"],
    ['export * as', "export * as all from './a.ts';"],
    ['import * as', "import * as all from './a.ts';\nexport declare const one: all.Kept;"],
    ['a renamed import', "import { Kept as Other } from './a.ts';\nexport declare const one: Other;"],
    ['a renamed export', "export { Kept as Other } from './a.ts';"],
    ['a name that is passed on', "export { Kept } from './b.ts';"],
    ['a name behind export *', "export { Kept } from './c.ts';"],
    ['an import that is exported', "import { Kept } from './a.ts';\nexport { Kept };"],
    ['an import that another file exports', "export { Kept } from './d.ts';"],
    ['import()', "export declare const one: import('./a.ts').Kept;"],
    ['typeof import()', "export declare const one: typeof import('./a.ts');"],
    ['typeof', "import { type Kept } from './a.ts';\nexport declare const one: typeof Kept;"],
    ['a computed member', "import { Kept } from './a.ts';\nexport interface One {\n    [Kept]: string;\n}"],
    ['another entry', 'export {};', ['a.d.ts']],
  ])('follows %s', (_title, index, more: readonly string[] = []) => {
    const files = {
      'index.d.ts': `${index}\n`,
      'a.d.ts': 'export declare const Kept: unique symbol;\nexport type Kept = string;\n',
      'b.d.ts': "export { Kept } from './a.ts';\n",
      'c.d.ts': "export * from './a.ts';\n",
      'd.d.ts': "import { Kept } from './a.ts';\nexport declare const one: Kept;\nexport { Kept };\n",
    }
    const pruned = prune(files, more)
    expect(pruned['a.d.ts']).toBe(files['a.d.ts'])
    expect(pruned['d.d.ts'] ?? 'export { Kept }').toContain('export { Kept }')
  })

  it('keeps all overloads, and reads a member that has the name of a declaration as a member', () => {
    const pruned = prune({
      'index.d.ts':
        'export declare function run(a: 1): void;\nexport declare function run(a: 2): { state: 1 };\ninterface state {\n}\nexport {};\n',
    })
    expect(pruned['index.d.ts']).toBe(
      'export declare function run(a: 1): void;\nexport declare function run(a: 2): { state: 1 };\nexport {};\n',
    )
  })

  it('keeps imports of other packages only where they are needed', () => {
    const pruned = prune({
      'index.d.ts':
        "import { type A } from 'a';\nimport { type B, type C } from 'b';\nexport declare const c: C;\nexport { D } from 'd';\n",
    })
    expect(pruned['index.d.ts']).toBe("import { type C } from 'b';\nexport declare const c: C;\nexport { D } from 'd';\n")
  })

  it('ends at files that import each other', () => {
    const files = {
      'index.d.ts': "export { A } from './a/a.ts';\n",
      'a/a.d.ts': "import { type B } from '../b.ts';\nexport interface A {\n    b: B;\n}\n",
      'b.d.ts': "import { type A } from './a/a.ts';\nexport interface B {\n    a: A;\n}\n",
    }
    expect(prune(files)).toEqual(files)
  })

  it('refuses an import that another file does not export', () => {
    const files = { 'index.d.ts': "export { A } from './a.ts';\n", 'a.d.ts': 'export interface B {\n}\n' }
    expect(() => prune(files)).toThrow("a.d.ts doesn't export A.")
  })

  it.each(['declare global {\n}\n', "declare module 'm' {\n}\n", "import './effect.ts';\n", 'export default 1;\n'])(
    'refuses a statement that it would lose: %s',
    (text) => {
      expect(() => prune({ 'index.d.ts': text })).toThrow("isn't supported")
    },
  )
})

function prune(files: Record<string, string>, entries: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(pruneTypes(['index.d.ts', ...entries], (path: string) => files[path] ?? ''))
}
