import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { expect, it } from 'vitest'
import { migrate } from './migrate.ts'

it('a migration is repeated if its work fails just before the process notices the end of its session', async () => {
  const ended = Object.assign(new Error('terminating connection due to idle-session timeout'), { code: '57P05' })
  let fail: (cause: Error) => void = () => {}
  const query = async (text: string) => {
    if (text !== 'SELECT 1') return { rows: [{ taken: true }] }
    fail(new Error('The work has lost its session too.'))
    throw ended
  }
  const connect = async () => Object.assign(new EventEmitter(), { query, release() {} })
  let runs = 0
  const work = () =>
    new Promise<void>((resolve, reject) => {
      fail = reject
      if (++runs === 2) resolve()
    })
  await migrate({ connect } as unknown as pg.Pool, work, { leaseMs: 30 })
  expect(runs).toBe(2)
})
