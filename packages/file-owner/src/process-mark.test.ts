import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { isRunning, markOf } from './process-mark.ts'

it('a process is running until it ends', () => {
  expect(isRunning(markOf(process.pid))).toBe(true)
  expect(isRunning({ pid: spawnSync(process.execPath, ['-v']).pid, started: null, host: null })).toBe(false)
})

it.runIf(process.platform === 'linux')('a later process with the same id is another one', () => {
  expect(markOf(process.pid).started).toMatch(/^\d+$/)
  expect(isRunning({ pid: process.pid, started: '1', host: null })).toBe(false)
})
