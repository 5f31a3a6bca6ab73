import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { nodeOf } from './index.ts'

it('returns a Node of at least the version', () => {
  const version = execFileSync(nodeOf(24), ['-p', 'process.versions.node'], { encoding: 'utf8' })
  expect(Number.parseInt(version, 10)).toBeGreaterThanOrEqual(24)
})

it('returns the Node that runs the test if it is new enough', () => {
  expect(nodeOf(20)).toBe(process.execPath)
})
