/** Tests paused runs that earlier releases wrote. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { agentFor, payments } from '../../test/approval/payments.ts'
import type { PausedRun } from './paused-run.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../test/approval/fixtures/${name}`, import.meta.url), 'utf8')) as PausedRun

it.each([
  ['paused-run-3.json', {}],
  ['paused-run-3-signed.json', { key: 'secret' }],
])('refuses a paused run of version 3 with the reason, and runs nothing: %s', async (file, pauses) => {
  const { pay, paid } = payments()
  const { agent, lm } = await agentFor([pay], [{ text: 'Done.' }], { name: 'clerk', pauses })
  await expect(agent.resume(read(file), { p1: true })).rejects.toMatchObject({
    code: 'invalid_paused_run',
    message: expect.stringContaining('format version 3, and this release reads version 4'),
  })
  expect([paid, lm.requests]).toEqual([[], []])
})
