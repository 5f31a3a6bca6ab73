/** Tests child processes that answer, fail, end or hang. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { SubjectClient } from './subject-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'x-bench-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Longer than a test may take. */
const NEVER_MS = 1_000_000
let programs = 0

function start(onMessage: string, answerMs = NEVER_MS, node = process.execPath): SubjectClient {
  const program = join(folder, `child-${++programs}.mjs`)
  writeFileSync(program, `process.on('message', (question) => { ${onMessage} })`)
  return new SubjectClient({ program, args: [], node, answerMs })
}

it('resolves to the sample of the child, for every request', async () => {
  const client = start('process.send({ sample: { cpu: question.batchMs, wall: process.argv.length } })')
  expect(await client.ask({ type: 'measure', batchMs: 7 })).toEqual({ cpu: 7, wall: 2 })
  expect(await client.ask({ type: 'measure', batchMs: 8 })).toEqual({ cpu: 8, wall: 2 })
  client.close()
})

it('rejects with the error of the child', async () => {
  const client = start("process.send({ error: 'It cheats.' })")
  await expect(client.ask({ type: 'open', warmUpMs: 1 })).rejects.toThrow('It cheats.')
  client.close()
})

it('rejects when the child ends, and when it has ended', async () => {
  const client = start('process.exit(3)')
  await expect(client.ask({ type: 'open', warmUpMs: 1 })).rejects.toThrow("The subject's process ended (3).")
  await expect(client.ask({ type: 'open', warmUpMs: 1 })).rejects.toThrow("The subject's process has ended.")
})

it('times out on a child that does not answer, and ends it', async () => {
  const client = start('', 200)
  await expect(client.ask({ type: 'open', warmUpMs: 1 })).rejects.toThrow('No answer within 200 ms.')
})

it('rejects when the Node does not exist', async () => {
  const client = start('', NEVER_MS, join(folder, 'no-node'))
  await expect(client.ask({ type: 'open', warmUpMs: 1 })).rejects.toThrow()
})
