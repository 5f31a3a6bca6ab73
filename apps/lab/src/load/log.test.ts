import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addKill, addLine, STALLED_MS, watchLog } from './log.ts'

const folder = mkdtempSync(join(tmpdir(), 'load-log-'))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

it('reports that nothing new happens, even while processes are killed and execute the same call again', () => {
  const log = join(folder, 'log')
  addLine(log, 'effect', 'a', 'c1')
  const isStalled = watchLog(log)
  const after = (ms: number) => {
    vi.advanceTimersByTime(ms)
    return isStalled()
  }
  const execute = (call: string, pid: number) => {
    addLine(log, 'effect', 'a', call)
    addKill(log, pid)
  }
  execute('c1', 1)
  expect([after(0), after(STALLED_MS)]).toEqual([false, false])
  execute('c2', 2)
  expect([after(0), after(STALLED_MS)]).toEqual([false, false])
  execute('c2', 3)
  expect(after(1)).toBe(true)
  execute('c3', 4)
  expect(after(0)).toBe(false)
})
