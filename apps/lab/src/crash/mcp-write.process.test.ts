/** A durable run that calls an MCP server is killed around a write, and resumed by another process. */
import { fork } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle } from '../bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-crash-'))
const program = join(folder, 'program.mjs')
const server = resolve(import.meta.dirname, '../../test/mcp/killing-server.mjs')
beforeAll(() =>
  bundle(join(import.meta.dirname, 'mcp-program.ts'), program, resolve(import.meta.dirname, '../../node_modules'), [
    '@modelcontextprotocol/*',
  ]),
)
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the program to its end. Returns the signal that killed it. */
function run(runs: string, ...given: readonly string[]): Promise<string | undefined> {
  const child = fork(program, [runs, server, ...given], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let words = ''
  child.stderr?.on('data', (piece) => {
    words += piece
  })
  return new Promise((settle, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => (code === 0 || signal !== null ? settle(signal ?? undefined) : reject(new Error(words))))
  })
}

it.each([
  ['before', 0, /may or may not have/],
  ['after', 1, /may or may not have/],
  ['answered', 1, /Paid\.|may or may not have/],
] as const)('killed %s a write, it has been made %i times, and never twice', async (when, times, read) => {
  const runs = join(folder, when)
  mkdirSync(runs)
  const payments = join(folder, `${when}.log`)
  expect(await run(runs, payments, when)).toBe('SIGKILL')
  expect(await run(runs, payments, when)).toBeUndefined()
  const result = JSON.parse(readFileSync(join(runs, 'result.json'), 'utf8')) as { answer: string; read: readonly string[] }
  expect(result.answer).toBe('Done.')
  expect(result.read.join('\n')).toMatch(read)
  expect(existsSync(payments) ? readFileSync(payments, 'utf8').split('\n').filter(Boolean) : []).toHaveLength(times)
})
