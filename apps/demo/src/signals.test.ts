/** Tests the handling of signals with a process that only records calls. */
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BROKEN_PIPE, GRACE_MS, type SignalSource, stopOnSignals } from './signals.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => void vi.useRealTimers())

function begin() {
  const exits: number[] = []
  const stdout = new EventEmitter()
  const source = Object.assign(new EventEmitter(), { stdout, exit: (code: number) => void exits.push(code) })
  return { exits, source, stdout, stopping: stopOnSignals(source as SignalSource) }
}

it.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s aborts, and leaves within a second whatever is still open', (name, code) => {
  const { exits, source, stopping } = begin()
  expect([stopping.signal.aborted, stopping.exitCode()]).toEqual([false, undefined])
  source.emit(name)
  expect([stopping.signal.aborted, stopping.exitCode(), exits]).toEqual([true, code, []])
  vi.advanceTimersByTime(GRACE_MS - 1)
  expect(exits).toEqual([])
  vi.advanceTimersByTime(1)
  expect(exits).toEqual([code])
  expect(GRACE_MS).toBeLessThan(1000)
})

it('a second signal exits at once, with the code of the first', () => {
  const { exits, source } = begin()
  source.emit('SIGINT')
  source.emit('SIGTERM')
  expect(exits).toEqual([130])
})

it('a closed pipe ends the program, and other output errors are thrown', () => {
  const { exits, stdout, stopping } = begin()
  expect(() => stdout.emit('error', new Error('The disk is full.'))).toThrow('The disk is full.')
  expect(stopping.signal.aborted).toBe(false)
  stdout.emit('error', Object.assign(new Error('The pipe is closed.'), { code: 'EPIPE' }))
  vi.advanceTimersByTime(GRACE_MS)
  expect([stopping.signal.aborted, exits]).toEqual([true, [BROKEN_PIPE]])
})
