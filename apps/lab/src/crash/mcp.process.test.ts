/** Kills a durable run that calls an MCP server, either around a write or while the run waits for an answer. Another process resumes it. */
import { fork } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-crash-'))
const program = join(folder, 'program.mjs')
const servers = resolve(import.meta.dirname, '../../test/mcp')
beforeAll(() =>
  bundle(join(import.meta.dirname, 'mcp-program.ts'), program, resolve(import.meta.dirname, '../../node_modules'), [
    ...['@modelcontextprotocol/*', '@dbos-inc/*', 'pg'],
  ]),
)
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the program to its end. Returns the signal that killed it. */
function run(args: readonly string[], databaseUrl: string | undefined): Promise<string | undefined> {
  const child = fork(program, [...args], {
    // Optimizing takes longer than the whole run.
    execArgv: ['--no-opt'],
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
  ['before', 0, /It may have taken effect\. It was not repeated/],
  ['after', 1, /It may have taken effect\. It was not repeated/],
  ['answered', 1, /Paid\.|It may have taken effect\. It was not repeated/],
] as const

async function assertOnce(runs: string, when: string, times: number, read: RegExp, databaseUrl?: string): Promise<void> {
  mkdirSync(runs)
  const payments = `${runs}.log`
  const args = [runs, 'pay', join(servers, 'killing-server.mjs'), payments, when]
  expect(await run(args, databaseUrl)).toBe('SIGKILL')
  expect(await run(args, databaseUrl)).toBeUndefined()
  const result = JSON.parse(readFileSync(join(runs, 'result.json'), 'utf8')) as { answer: string; read: readonly string[] }
  expect(result.answer).toBe('Done.')
  expect(result.read.join('\n')).toMatch(read)
  expect(existsSync(payments) ? readFileSync(payments, 'utf8').split('\n').filter(Boolean) : []).toHaveLength(times)
}

const QUESTIONS = [
  ['while it waits', 'never'],
  ['while it waits, and when the answer has arrived', 'kill'],
] as const
const ANSWERED = { responses: { account: { action: 'accept', content: { account: 'A1' } } }, state: 'round:1' }

async function assertAnswered(runs: string, when: string, databaseUrl?: string): Promise<void> {
  mkdirSync(runs)
  const notes = `${runs}.log`
  const args = (role: string) => [runs, role, join(servers, 'asking-server.mjs'), notes, when]
  expect(await run(args('ask'), databaseUrl)).toBe('SIGKILL')
  if (when === 'kill') expect(await run(args('answer'), databaseUrl)).toBe('SIGKILL')
  expect(await run(args('answer'), databaseUrl)).toBeUndefined()
  const asked = JSON.parse(readFileSync(join(runs, 'asked.json'), 'utf8')) as { about: unknown }
  expect(asked.about).toMatchObject({ needs: 'input', message: 'From which account?', name: 'bank_pay' })
  const { read } = JSON.parse(readFileSync(join(runs, 'result.json'), 'utf8')) as { read: readonly string[] }
  expect(read.join('\n')).toMatch(when === 'kill' ? /It may have taken effect\. It was not repeated/ : /^Paid\.$/)
  const requests = readFileSync(notes, 'utf8').split('\n').filter(Boolean)
  expect(requests.map((line) => JSON.parse(line) as object)).toEqual([{}, ANSWERED])
}

it.each(CASES)('on files, killed %s a write, it has been made %i times, and never twice', async (when, times, read) => {
  await assertOnce(join(folder, `files-${when}`), when, times, read)
})

it.each(QUESTIONS)('on files, a run that is killed %s has sent each request once', async (_, when) => {
  await assertAnswered(join(folder, `files-${when}`), when)
})

/** Each run on DBOS starts two or three processes that take a second each. */
const [casesOnDbos, questionsOnDbos] = process.env.X_FULL ? [CASES, QUESTIONS] : [CASES.slice(1, 2), QUESTIONS.slice(1)]

describe.skipIf(POSTGRES_MISSING)(`on PostgreSQL ${POSTGRES_MISSING}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await startPostgres({ isDurable: true })
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  it.each(casesOnDbos)('killed %s a write, it has been made %i times, and never twice', async (when, times, read) => {
    await assertOnce(join(folder, `dbos-${when}`), when, times, read, database.url)
  })

  it.each(questionsOnDbos)('a run that is killed %s has sent each request once', async (_, when) => {
    await assertAnswered(join(folder, `dbos-${when}`), when, database.url)
  })
})
