import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, isDeclared } from './declared.mjs'

describe('importsOf', () => {
  it.each([
    'import "p"',
    'import type { A } from "p"',
    'export type { A } from "p"',
    'export * as all from "p"',
    'import all = require("p")',
    '/// <reference types="p" />',
    'declare module "p" { interface A {} }',
    'export declare function f(): Promise<import("p").A>',
    'export type A = typeof import("p")',
    'const one = await import(`p`)',
    'const one = require("p")',
    'const where = import.meta.resolve("p")',
    'const quote = /["`]/\nconst one = await import("p")',
    'const half = a / 2\nconst tick = /`/\nexport type { A } from "p"\nconst text = `x`',
    'const one = import("p", { with: { type: "json" } })',
  ])('finds the module in %s', (code) => {
    expect(foundIn(code)).toEqual(['p'])
  })

  it.each(['const text = "import \'p\'"', '// import "p"', 'const text = `import("p")`', 'loader.import("p")', 'import(name)'])(
    'finds none in %s',
    (code) => {
      expect(foundIn(code)).toEqual([])
    },
  )
})

describe('isDeclared', () => {
  const manifest = { name: '@x/own', dependencies: { ajv: '1' }, peerDependencies: { '@a/peer': '1' } }

  it.each(['./file.ts', 'node:fs', 'fs/promises', '@x/own/entry', 'ajv/dist/2020.js', '@a/peer/sub'])('takes %s', (specifier) => {
    expect(isDeclared(specifier, manifest)).toBe(true)
  })

  it.each(['ajv-formats', '@a/other', '#internal', '@x/own-2'])('refuses %s', (specifier) => {
    expect(isDeclared(specifier, manifest)).toBe(false)
  })
})

function foundIn(code: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'x-imports-'))
  try {
    const file = join(folder, 'file.ts')
    writeFileSync(file, code)
    return importsOf(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
