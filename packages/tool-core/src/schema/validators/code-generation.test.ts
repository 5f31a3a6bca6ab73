import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const source = resolve(import.meta.dirname, '../..')
let folder: string
afterAll(() => rm(folder, { recursive: true }))

const PROGRAM = `
import { Type } from 'typebox'
import { callTool, defineTool } from ${JSON.stringify(join(source, 'index.ts'))}

const probe = defineTool({
  name: 'probe',
  description: 'Probes.',
  args: Type.Object({
    city: Type.String({ pattern: '^(?:[a-z]+-)*[a-z]+$' }),
    when: Type.Optional(Type.String({ format: 'date' })),
    count: Type.Optional(Type.Number({ format: 'int32', multipleOf: 0.01 })),
    unit: Type.Union([Type.Literal('c'), Type.Literal('f')]),
  }),
  execute: ({ city }) => city.length,
})
const results = []
for (const args of [{ city: 'st-ives', unit: 'c' }, { city: 5, when: 'today', count: 19.99, unit: 'k' }, { unit: 'c' }]) {
  const result = await callTool(probe, { id: '1', name: 'probe', args })
  results.push(result.ok ? result.output : { message: result.error.message, issues: result.error.issues })
}
let generates = true
try {
  new Function('')
} catch {
  generates = false
}
console.log(JSON.stringify({ generates, results }))
`

async function run(...flags: string[]): Promise<{ generates: boolean; results: unknown[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, join(folder, 'program.mjs')])
  return JSON.parse(stdout)
}

describe('a call where code generation is forbidden', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'code-generation-'))
    const vite = createRequire(import.meta.url).resolve('vite')
    await createRequire(vite)('esbuild').build({
      stdin: { contents: PROGRAM, resolveDir: source, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: join(folder, 'program.mjs'),
    })
  })

  it('accepts a valid call, and reports an invalid one with the usual message', async () => {
    const free = await run()
    const forbidden = await run('--disallow-code-generation-from-strings')
    expect([free.generates, forbidden.generates]).toEqual([true, false])
    expect(forbidden.results[0]).toBe(7)
    expect(forbidden.results[1]).toMatchObject({
      message:
        'Invalid arguments for "probe": /city must be string; /when must match format "date"; /count must match format "int32"; /unit must be "c" or "f".',
      issues: [
        { path: '/city', keyword: 'type', expected: 'string', got: '5' },
        { path: '/when', keyword: 'format', expected: 'date', got: '"today"' },
        { path: '/count', keyword: 'format', expected: 'int32', got: '19.99' },
        { path: '/unit', keyword: 'anyOf', expected: '"c" | "f"', got: '"k"' },
      ],
    })
    expect(forbidden.results).toEqual(free.results)
  })
})
