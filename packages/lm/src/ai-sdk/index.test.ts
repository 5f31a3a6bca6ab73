import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('imports no package at run time, not even the AI SDK', () => {
  const folder = import.meta.dirname
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test|\.test-d)\.ts$/.test(name),
  )
  const imported = files.flatMap((name) => {
    const source = readFileSync(join(folder, name), 'utf8')
    return [...source.matchAll(/^(?:import|export) (?!type )[^']*? from '([^']+)'/gm)].map((match) => match[1])
  })
  expect(imported).toContain('./reply-reader.ts')
  expect(imported.filter((name) => !name?.startsWith('.'))).toEqual([])
})
