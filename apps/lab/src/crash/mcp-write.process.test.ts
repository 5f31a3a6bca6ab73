/** A durable run that calls an MCP server is killed around a write, and resumed by another process. */
import { fork } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-crash-'))
const program = join(folder, 'program.mjs')
const server = resolve(import.meta.dirname, '../../test/mcp/killing-server.mjs')
beforeAll(() =>
  bundle(join(import.meta.dirname, 'mcp-program.ts'), program, resolve(import.meta.dirname, '../../node_modules'), [
    ...['@modelcontextprotocol/*', '@dbos-inc/*', 'pg'],
  ]),
)
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the program to its end. Returns the signal that killed it. */
function run(runs: string, given: readonly string[], databaseUrl: string | undefined): Promise<string | undefined> {
  const child = fork(program, [runs, server, ...given], {
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

const CASES = [
  ['before', 0, /may or may not have/],
  ['after', 1, /may or may not have/],
  ['answered', 1, /Paid\.|may or may not have/],
] as const

async function assertOnce(runs: string, when: string, times: number, read: RegExp, databaseUrl?: string): Promise<void> {
  mkdirSync(runs)
  const payments = `${runs}.log`
  expect(await run(runs, [payments, when], databaseUrl)).toBe('SIGKILL')
  expect(await run(runs, [payments, when], databaseUrl)).toBeUndefined()
  const result = JSON.parse(readFileSync(join(runs, 'result.json'), 'utf8')) as { answer: string; read: readonly string[] }
  expect(result.answer).toBe('Done.')
  expect(result.read.join('\n')).toMatch(read)
  expect(existsSync(payments) ? readFileSync(payments, 'utf8').split('\n').filter(Boolean) : []).toHaveLength(times)
}

it.each(CASES)('on files, killed %s a write, it has been made %i times, and never twice', async (when, times, read) => {
  await assertOnce(join(folder, `files-${when}`), when, times, read)
})

describe.skipIf(POSTGRES_MISSING)(`on PostgreSQL ${POSTGRES_MISSING}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await startPostgres({ isDurable: true })
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  it.each(CASES)('killed %s a write, it has been made %i times, and never twice', async (when, times, read) => {
    await assertOnce(join(folder, `dbos-${when}`), when, times, read, database.url)
  })
})
