import { describe, expect, it } from 'vitest'
import { PathLocks } from './path-locks.ts'

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('PathLocks', () => {
  it('runs work on one path in order, and work on others concurrently', async () => {
    const locks = new PathLocks()
    const log: string[] = []
    const { open, opened } = gate()
    const first = locks.hold(['a'], async () => {
      await opened
      log.push('first')
    })
    const rest = ['a', 'b', 'A'].map((path) => locks.hold([path], async () => log.push(path)))
    await settled()
    expect(log).toEqual(['b'])
    open()
    await Promise.all([first, ...rest])
    expect(log).toEqual(['b', 'first', 'a', 'A'])
  })

  it('lets work on two paths wait for both, and never for itself', async () => {
    const locks = new PathLocks()
    const log: string[] = []
    const { open, opened } = gate()
    const all = [
      locks.hold(['a'], () => opened),
      locks.hold(['b', 'a'], async () => log.push('b and a')),
      locks.hold(['a', 'b'], async () => log.push('a and b')),
      locks.hold(['c', 'c'], async () => log.push('c')),
    ]
    await settled()
    expect(log).toEqual(['c'])
    open()
    await Promise.all(all)
    expect(log).toEqual(['c', 'b and a', 'a and b'])
  })

  it('reports a failure to its own caller, and blocks no later work', async () => {
    const locks = new PathLocks()
    const failed = locks.hold(['a'], () => Promise.reject(new Error('no')))
    const next = locks.hold(['a'], async () => 'yes')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })
})
