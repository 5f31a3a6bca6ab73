import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect, failure, PATIENT, shown } from '../../test/calls.ts'
import { mcp } from './mcp.ts'
import type { McpOptions } from './options.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-'))
const program = join(import.meta.dirname, '../../test/older-server.mjs')
let log = ''
let count = 0
beforeEach(() => {
  log = join(folder, `log-${count++}`)
})
afterAll(() => rmSync(folder, { recursive: true }))

const READS = { annotations: { readOnlyHint: true } }
const TRUST: McpOptions = { trust: ['readOnlyHint'] }
const LONG_MS = 600_000
const { setTimeout: realTimeout } = globalThis

function server(config: object) {
  return { command: process.execPath, args: [program, JSON.stringify({ log, ...config })] }
}

/** Returns the requests that the server received, by the first word of each line. */
function asked(word: string): readonly string[] {
  if (!existsSync(log)) return []
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${word} `))
}

/**
 * Replaces the clock of this process with one that doesn't count the time in which the process is suspended, or with one that stands still.
 * Returns a function that advances it.
 */
function useOwnClock(shouldAdvanceTime = true): (ms: number) => Promise<unknown> {
  vi.useFakeTimers({ shouldAdvanceTime, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return (ms) => vi.advanceTimersByTimeAsync(ms)
}

function isAlive(line: string | undefined): boolean {
  try {
    process.kill(Number(line?.split(' ')[1]), 0)
    return true
  } catch {
    return false
  }
}

describe('a server on standard input and output', () => {
  it('of the older era is a single process, which ends when the source is closed', async () => {
    const { source, call } = connect(server({ names: ['echo'] }))
    expect(shown(await call('shop_echo', { a: 1 }))).toBe('{"a":1}')
    expect(source.server).toMatchObject({ revision: '2025-11-25', isStateless: false, name: 'older' })
    expect(asked('start')).toHaveLength(1)
    await source.close()
    expect(isAlive(asked('start')[0])).toBe(false)
    await source.open()
    expect(asked('start')).toHaveLength(2)
    // The era is already known, so it isn't negotiated again.
    expect(asked('server/discover')).toHaveLength(1)
  })

  it('that exits when it is asked for its revision is started once more', async () => {
    const { source } = connect(server({ names: ['echo'], diesOfProbe: true }))
    expect(await source.tools()).toHaveLength(1)
    expect(asked('start')).toHaveLength(2)
    await source.close()
    await source.open()
    expect(asked('start')).toHaveLength(3)
  })

  it('that does not answer when it is asked for its revision is connected with the older handshake', async () => {
    const { source } = connect(server({ names: ['echo'], hang: 'probe' }))
    const pass = useOwnClock()
    const tools = source.tools()
    await expect.poll(() => asked('server/discover')).toHaveLength(1)
    // A server that is still being downloaded must not be taken for an older one.
    await pass(LONG_MS / 2 - 10_000)
    await new Promise((resolve) => realTimeout(resolve, 200))
    expect(asked('initialize')).toEqual([])
    await pass(10_000)
    expect(await tools).toHaveLength(1)
    expect(asked('start')).toHaveLength(1)
  })

  it('gets a minimal environment', async () => {
    process.env.MCP_TEST_SECRET = 'hidden'
    const { call } = connect({ ...server({ names: ['environment'] }), env: { GIVEN: 'yes' } })
    const names = Object.keys(JSON.parse(String(shown(await call('shop_environment')))) as object)
    expect(names).toContain('GIVEN')
    expect(names).toContain('PATH')
    expect(names).not.toContain('MCP_TEST_SECRET')
    Reflect.deleteProperty(process.env, 'MCP_TEST_SECRET')
  })

  it('reports all progress that arrives together with the result', async () => {
    const { call } = connect(server({ names: ['progress'] }))
    const updates: unknown[] = []
    await call('shop_progress', {}, { progress: (update) => updates.push((update as { progress: number }).progress) })
    expect(updates).toEqual([1, 2, 3])
  })

  it('may exit as soon as it has answered', async () => {
    const { call, reports } = connect(server({ names: ['last_words'] }))
    const calling = call('shop_last_words')
    await expect.poll(() => asked('tools/call')).toHaveLength(1)
    // The answer and the end of the process arrive together.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
    expect(shown(await calling)).toBe('bye')
    await expect.poll(() => reports.map(({ code }) => code)).toEqual(['disconnected'])
  })

  it('may ask a question, which is answered by the handler or declined', async () => {
    const question = {
      message: 'Name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string', default: 'Ada' } } },
    }
    const handled = connect(server({ names: ['ask'] }), { elicit: ({ tool }) => ({ action: 'accept', content: { name: tool } }) })
    expect(shown(await handled.call('shop_ask', question))).toBe('{"action":"accept","content":{"name":"shop_ask"}}')
    const silent = connect(server({ names: ['ask'] }))
    expect(shown(await silent.call('shop_ask', question))).toBe('{"action":"decline"}')
    expect(silent.reports).toMatchObject([{ code: 'question_declined', tool: 'shop_ask' }])
  })

  it('may ask ten times during a call, and no question is passed on while none is running', async () => {
    const question = { mode: 'form', message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }
    const messages: string[] = []
    const elicit: McpOptions['elicit'] = ({ message }) => {
      messages.push(message)
      return { action: 'accept' }
    }
    const { call, reports } = connect(server({ names: ['ask_often', 'ask_later'] }), { elicit })
    const actions = JSON.parse(String(shown(await call('shop_ask_often', { times: 12, question })))) as string[]
    expect(actions.filter((action) => action === 'accept')).toHaveLength(10)
    expect(actions.filter((action) => action === 'decline')).toHaveLength(2)
    expect(reports.map(({ message }) => message)).toEqual(
      Array(2).fill('mcp("shop"): the server asked a question more than 10 times during a call, which was declined.'),
    )
    await call('shop_ask_later', question)
    await expect.poll(() => asked('answered')).toEqual(['answered {"action":"decline"}'])
    expect(messages).toHaveLength(10)
    expect(reports.at(-1)?.message).toContain('while no call was running')
    const strict = connect(server({ names: ['ask_often'] }), { elicit, maxQuestions: 1 })
    expect(String(shown(await strict.call('shop_ask_often', { times: 2, question }))).match(/accept/g)).toHaveLength(1)
  })

  it('gets a notification when a call is cancelled', async () => {
    const { call } = connect(server({ names: ['hang'] }))
    const pass = useOwnClock()
    const calling = call('shop_hang')
    await expect.poll(() => asked('tools/call')).toHaveLength(1)
    await pass(LONG_MS)
    expect(failure(await calling).code).toBe('timeout')
    await expect.poll(() => asked('notifications/cancelled')).toHaveLength(1)
  })

  it('is followed when its list changes', async () => {
    const list = join(folder, `list-${count}`)
    const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
    writeFileSync(list, JSON.stringify([tool('change'), tool('a')]))
    const { source, call } = connect(server({ list }))
    await source.open()
    writeFileSync(list, JSON.stringify([tool('change'), tool('b')]))
    await call('shop_change')
    await expect.poll(() => source.cards().map(({ name }) => name)).toEqual(['shop_change', 'shop_b'])
  })
})

describe('a server that fails', () => {
  it('in a read-only call is started again, and the call is repeated', async () => {
    const { call, reports } = connect(server({ names: ['die_once'], ...READS }), TRUST)
    expect(shown(await call('shop_die_once'))).toBe('alive')
    expect(asked('start')).toHaveLength(2)
    expect(reports.map(({ code }) => code)).toContain('disconnected')
  })

  it('in a call that may write is not called again: the outcome is unknown', async () => {
    const { call } = connect(server({ names: ['die_once', 'echo'] }), TRUST)
    const failed = failure(await call('shop_die_once'))
    expect(failed).toMatchObject({ code: 'execution_failed', reason: 'unknown_outcome', retryable: false })
    expect(asked('tools/call')).toHaveLength(1)
    // The next call starts the server again.
    expect(shown(await call('shop_echo', { a: 1 }))).toBe('{"a":1}')
  })

  it('in every read-only call is abandoned', async () => {
    const { call } = connect(server({ names: ['die'], ...READS }), { ...TRUST, maxRetries: 2 })
    expect(failure(await call('shop_die'))).toMatchObject({ reason: 'connection_lost', retryable: true })
    expect(asked('tools/call')).toHaveLength(3)
  })

  it('and restarts with other tools is listed again', async () => {
    const list = join(folder, `list-${count}`)
    const tool = (name: string) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } })
    writeFileSync(list, JSON.stringify([tool('die_once'), tool('a')]))
    const { source, call, reports } = connect(server({ list }), TRUST)
    await source.open()
    writeFileSync(list, JSON.stringify([tool('die_once'), tool('renamed')]))
    await call('shop_die_once')
    await expect.poll(() => source.cards().map(({ name }) => name)).toEqual(['shop_die_once', 'shop_renamed'])
    expect(reports.map(({ code, tool: name }) => [code, name])).toEqual([
      ['disconnected', undefined],
      ['tool_added', 'shop_renamed'],
      ['tool_removed', 'shop_a'],
    ])
  })

  it('to start is reported with its command', async () => {
    const { source, reports } = connect({ command: process.execPath, args: ['-e', 'process.exit(3)'] })
    await expect(source.open()).rejects.toMatchObject({
      code: 'connect_failed',
      message: expect.stringContaining(process.execPath),
    })
    const missing = connect({ command: 'no-such-program-anywhere' })
    await expect(missing.source.open()).rejects.toMatchObject({
      code: 'connect_failed',
      message: expect.stringContaining('ENOENT'),
    })
    // A connection that was never established isn't reported as lost.
    expect([...reports, ...missing.reports]).toEqual([])
  })

  it('is not left running when the source is closed while the server starts', async () => {
    const { source } = connect(server({ names: ['echo'] }))
    const opening = source.open().catch((error: unknown) => error)
    await source.close()
    expect(await opening).toMatchObject({ name: 'McpError' })
    expect(asked('start').filter(isAlive)).toEqual([])
  })

  it.each(['initialize', 'list'] as const)('to answer %s is abandoned at the deadline', async (hang) => {
    const { source } = connect(server({ names: ['echo'], hang }))
    const code = hang === 'list' ? 'list_failed' : 'connect_timeout'
    const pass = useOwnClock()
    const opening = expect(source.open()).rejects.toMatchObject({ code, message: expect.stringContaining(`${LONG_MS} ms`) })
    await expect.poll(() => asked(hang === 'list' ? 'tools/list' : hang)).toHaveLength(1)
    await pass(LONG_MS)
    await opening
    await source.close()
    expect(asked('start').some(isAlive)).toBe(false)
  })

  it('to end is killed', async () => {
    const { source } = connect(server({ names: ['echo'], hang: 'close' }))
    await source.open()
    await source.close()
    expect(isAlive(asked('start')[0])).toBe(false)
  })

  it('to keep its answer below the limit is refused, named in the error, and started again', async () => {
    const { call } = connect(server({ names: ['big', 'echo'], ...READS }), { ...TRUST, maxAnswerBytes: 1_000_000 })
    const failed = failure(await call('shop_big', { size: 50_000_000 }))
    expect(failed).toMatchObject({ reason: 'answer_too_large', message: expect.stringContaining('1000000 bytes') })
    expect(asked('tools/call')).toHaveLength(1)
    expect(shown(await call('shop_echo', { a: 1 }))).toBe('{"a":1}')
  })

  it('to keep its answer below the limit and to exit is abandoned at once', async () => {
    const { call } = connect(server({ names: ['big', 'echo'], hang: 'close' }), { maxAnswerBytes: 1_000_000 })
    const pass = useOwnClock(false)
    expect(failure(await call('shop_big', { size: 2_000_000 }))).toMatchObject({ reason: 'answer_too_large' })
    expect(shown(await call('shop_echo', { a: 1 }))).toBe('{"a":1}')
    expect(asked('start').filter(isAlive)).toHaveLength(2)
    await pass(LONG_MS) // Only now, the first process is killed.
  })

  it('to write only messages is still read', async () => {
    const { call } = connect(server({ names: ['garbage'] }))
    expect(shown(await call('shop_garbage'))).toBe('after garbage')
  })

  it('to keep its log out of standard output is reported once, and the call continues', async () => {
    const { call, reports } = connect(server({ names: ['log'] }))
    expect(shown(await call('shop_log'))).toBe('after a log')
    expect(reports.map(({ code }) => code)).toEqual(['invalid_message'])
  })

  it('to write a valid notification is still called', async () => {
    const { call, reports } = connect(server({ names: ['invalid_notification'] }))
    expect(shown(await call('shop_invalid_notification'))).toBe('after a notification')
    expect(reports.map(({ code }) => code)).toEqual(['invalid_message'])
  })

  it('to write a valid answer is reported at once', async () => {
    const { call } = connect(server({ names: ['malformed'] }))
    expect(failure(await call('shop_malformed'))).toMatchObject({ reason: 'invalid_answer' })
  })

  it('to write a valid answer is reported at once after a call that never ended, and after an answer with a text as its id', async () => {
    const { call } = connect(server({ names: ['hang', 'text_id', 'malformed'] }))
    const pass = useOwnClock()
    const calling = call('shop_hang')
    await expect.poll(() => asked('tools/call')).toHaveLength(1)
    await pass(LONG_MS)
    expect(failure(await calling).code).toBe('timeout')
    expect((await call('shop_text_id')).ok).toBe(true)
    expect(failure(await call('shop_malformed'))).toMatchObject({ reason: 'invalid_answer' })
  })

  it('to send harmless keys is refused, and changes no prototype', async () => {
    const { call } = connect(server({ names: ['proto'] }))
    expect(failure(await call('shop_proto'))).toMatchObject({ reason: 'invalid_answer' })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

it('connecting and closing many times leaves no process running', async () => {
  const times = process.env.X_FULL ? 100 : 5
  for (let time = 0; time < times; time++) {
    const source = mcp('shop', server({ names: ['echo'] }), PATIENT)
    await source.open()
    await source.close()
  }
  expect(asked('start')).toHaveLength(times)
  expect(asked('start').filter(isAlive)).toEqual([])
  expect(process.listenerCount('exit')).toBeLessThan(10)
})
