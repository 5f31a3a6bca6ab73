/** A durable run whose MCP server asks: the process is killed while the run waits, and another one sends the answer. */
import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-question-'))
const program = join(folder, 'program.mjs')
const server = resolve(import.meta.dirname, '../../test/mcp/asking-server.mjs')
beforeAll(() =>
  bundle(join(import.meta.dirname, 'mcp-question-program.ts'), program, resolve(import.meta.dirname, '../../node_modules'), [
    ...['@modelcontextprotocol/*', '@dbos-inc/*', 'pg'],
  ]),
)
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the program to its end. Returns the signal that killed it. */
function run(runs: string, role: string, given: readonly string[], databaseUrl?: string): Promise<string | undefined> {
  const child = fork(program, [runs, role, server, ...given], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) },
  })
  let words = ''
  child.stderr?.on('data', (piece) => {
    words += piece
  })
  return new Promise((settle, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => (code === 0 || signal !== null ? settle(signal ?? undefined) : reject(new Error(words))))
  })
}

const ANSWERED = { responses: { account: { action: 'accept', content: { account: 'A1' } } }, state: 'round:1' }

async function assertAnswered(runs: string, when: string, databaseUrl?: string): Promise<void> {
  mkdirSync(runs)
  const notes = `${runs}.log`
  expect(await run(runs, 'ask', [notes, when], databaseUrl)).toBe('SIGKILL')
  if (when === 'kill') expect(await run(runs, 'answer', [notes, when], databaseUrl)).toBe('SIGKILL')
  expect(await run(runs, 'answer', [notes, when], databaseUrl)).toBeUndefined()
  const result = JSON.parse(readFileSync(join(runs, 'result.json'), 'utf8')) as { waited: unknown; read: readonly string[] }
  expect(result.waited).toMatchObject({ needs: 'input', message: 'From which account?', name: 'bank_pay' })
  expect(result.read.join('\n')).toMatch(when === 'kill' ? /may or may not have/ : /^Paid\.$/)
  const requests = readFileSync(notes, 'utf8').split('\n').filter(Boolean)
  expect(requests.map((line) => JSON.parse(line) as object)).toEqual([{}, ANSWERED])
}

const CASES = [
  ['while it waits', 'never'],
  ['while it waits, and when the answer has arrived', 'kill'],
] as const

it.each(CASES)('on files, a run that is killed %s has sent each request once', async (_, when) => {
  await assertAnswered(join(folder, `files-${when}`), when)
})

describe.skipIf(POSTGRES_MISSING)(`on PostgreSQL ${POSTGRES_MISSING}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await startPostgres({ isDurable: true })
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  it.each(CASES)('a run that is killed %s has sent each request once', async (_, when) => {
    await assertAnswered(join(folder, `dbos-${when}`), when, database.url)
  })
})
