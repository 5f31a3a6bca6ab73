import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileEngine } from '@x/durable'
import { afterAll, describe, expect, it } from 'vitest'
import { builtDemo } from '../../test/build.ts'
import { programIn, runHere } from '../../test/program.ts'
import { readBookings } from '../example-runs/bank.ts'

const folder = mkdtempSync(join(tmpdir(), 'demo-runs-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { start, run } = programIn(await builtDemo())

/** Creates a separate bank with its runs. Every command of `demo` runs in a separate process, and every command of `here` in this one. */
function deskIn(name: string) {
  const file = join(folder, name, 'demo.sqlite')
  return {
    runsFolder: join(folder, name, 'runs'),
    file,
    demo: (...words: string[]) => run([...words, '--db', file]),
    here: (...words: string[]) => runHere([...words, '--db', file]),
    booked: () => readBookings({ kind: 'sqlite', file }),
  }
}

const PAY = 'Pay 86.40 dollars to Northwind Energy out of checking and show me the balance of checking'

describe('a durable run', () => {
  it('waits for approval, gets it from another process, and books the payment once in a third one', async () => {
    const { demo, here, booked, file } = deskIn('approved')
    const asked = await demo('ask', PAY, '--durable', 'file', '--id', 'errand')
    expect([asked.code, asked.err]).toEqual([0, ''])
    expect(asked.out).toMatch(/^ {2}waits {4}approval-call_1_1: pay_bill {"payee":"Northwind Energy","amount":86\.4,/m)
    expect(asked.out).toContain(`npm run demo -- runs approve errand --edit '{"amount":86.4}' --db ${file}\n`)
    expect(asked.out).toContain(`npm run demo -- runs resume errand --db ${file}\n`)
    const early = await here('runs', 'resume')
    expect([early.code, early.out.includes('waits')]).toEqual([0, true])
    const approved = await demo('runs', 'approve', 'errand', '--edit', '{"amount":80}')
    expect([approved.code, approved.out]).toEqual([
      0,
      expect.stringMatching(/decided {2}approval-call_1_1: yes, with .*"amount":80/),
    ])
    expect(await booked()).toEqual([])
    const resumed = await demo('runs', 'resume', 'errand')
    expect([resumed.code, resumed.err]).toEqual([0, ''])
    expect(resumed.out).toMatch(
      /^ {2}call {5}pay_bill .*"amount":80,.*\n {2}result[\s\S]*^ {2}call {5}get_balance[\s\S]*^ {2}answer/m,
    )
    expect(await booked()).toEqual(['$80.00 from checking to Northwind Energy'])
    const again = await here('runs', 'resume', 'errand')
    expect([again.code, /^ {2}(?:call|thought)/m.test(again.out), again.out.includes('answer')]).toEqual([0, false, true])
    expect(await booked()).toHaveLength(1)
  })

  it('is listed and shown by its id, its state and its request', async () => {
    const { here } = deskIn('shown')
    expect((await here('runs')).out).toContain('There are no runs.')
    const asked = await here(
      'ask',
      'Show me the balance of checking',
      '--durable',
      'file',
      '--user',
      'bob',
      '--domain',
      'finance',
    )
    const [id = ''] = /^show-me-the-[a-z0-9]{8}(?= )/m.exec(asked.out) ?? []
    expect([asked.code, id]).toEqual([0, expect.stringContaining('show-me-the-')])
    expect((await here('runs', 'list')).out).toMatch(
      new RegExp(`^${id} +finished +\\S+ \\S+ +Show me the balance of checking$`, 'm'),
    )
    const shown = (await here('runs', 'show', id)).out
    expect(shown).toMatch(
      /state {4}finished[\s\S]*asked by bob, with finance and the rules[\s\S]*call {5}get_balance[\s\S]*answer/,
    )
  })

  it('gets a rejection with its reason, and does not fail', async () => {
    const { here, booked } = deskIn('rejected')
    await here('ask', 'Pay 86.40 dollars to Northwind Energy out of checking', '--durable', 'file', '--id', 'errand')
    await here('runs', 'approve', 'errand', 'pay_bill', '--no', '--reason', 'Not this month')
    const { code, out } = await here('runs', 'resume')
    expect([code, out]).toEqual([0, expect.stringMatching(/result .*Not this month[\s\S]*answer/)])
    expect(await booked()).toEqual([])
  })

  it('explains in one line why a command is impossible', async () => {
    const { here, file } = deskIn('refused')
    await here('ask', PAY, '--durable', 'file', '--id', 'errand')
    const says = async (code: number, words: string, ...command: string[]) => {
      const { err, ...rest } = await here(...command)
      expect([rest.code, err.split('\n').length]).toEqual([code, 2])
      expect(err).toContain(words)
    }
    await says(2, 'There is no run "erand". Did you mean "errand"?', 'runs', 'show', 'erand')
    await says(
      2,
      'The run "errand" isn\'t waiting for "call_9". It is waiting for "approval-call_1_1".',
      'runs',
      'approve',
      'errand',
      'call_9',
    )
    await says(2, '--edit needs arguments as JSON', 'runs', 'approve', 'errand', '--edit', 'hello')
    await says(2, 'was started with a different input', 'ask', 'Hello', '--durable', 'file', '--id', 'errand')
    await says(2, 'A run id must have', 'ask', 'Hello', '--durable', 'file', '--id', 'an errand')
    const edits: [string, string][] = [
      ['{"amuont":80}', 'pay_bill has no argument "amuont". Did you mean "amount"?'],
      ['{"zzzz":80}', 'pay_bill has no argument "zzzz". It has: payee, amount, account, note.'],
      ['{"amount":"x"}', '/amount must be number'],
      ['amount=-5', '/amount must be > 0'],
    ]
    for (const [edit, words] of edits) await says(2, words, 'runs', 'approve', 'errand', '--edit', edit)
    expect((await here('runs', 'show', 'errand')).out).toContain('waits    approval-call_1_1')
    await here('runs', 'approve', 'errand')
    const decided = `isn't waiting for a decision. Its calls have already been decided, or it hasn't requested a decision yet. When it is resumed, it requests any further decisions. Its state is "queued". To resume it: npm run demo -- runs resume errand --db ${file}`
    for (const words of [[], ['approval-call_1_1'], ['pay_bill'], ['bogus'], ['--edit', '{"amount":80}'], ['--no']])
      await says(2, decided, 'runs', 'approve', 'errand', ...words)
    expect((await here('runs', 'cancel', 'errand')).out).toBe('The run "errand" was cancelled.\n')
    expect((await here('runs', 'cancel', 'errand')).out).toBe('The run "errand" had already ended: cancelled.\n')
    await says(2, 'has ended (cancelled). No decision is possible.', 'runs', 'approve', 'errand')
    expect(await here('runs', 'resume', 'errand')).toMatchObject({ code: 1, out: expect.stringContaining('was cancelled') })
  })

  it('is left to another process when its model is not available, and does not stop other runs', async () => {
    const { demo, runsFolder } = deskIn('keyless')
    await using engine = await createFileEngine({ folder: runsFolder })
    const request = 'Show me the balance of checking'
    await engine.start('keyless', { request, user: 'demo', model: 'openai:gpt-5-mini' })
    await engine.start('plain', { request, user: 'demo' })
    const { code, out } = await demo('runs', 'resume')
    expect([code, out]).toEqual([1, expect.stringMatching(/^ {2}answer/m)])
    expect(out).toMatch(/^keyless {2}Show me.*\n {2}.*OPENAI_API_KEY/m)
    expect((await demo('runs', 'resume', 'keyless')).code).toBe(2)
    expect(await engine.status('keyless')).toMatchObject({ state: 'queued' })
    expect((await demo('runs', 'resume', 'keyless', '--lm', 'rules')).code).toBe(0)
    expect(await engine.status('keyless')).toMatchObject({ state: 'finished' })
  })

  it('whose process was killed is resumed by another one, which repeats nothing', async () => {
    const { file, demo, here } = deskIn('killed')
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (text) => {
        body += text
      })
      // The server never answers again after a tool result.
      request.on('end', () => {
        if (!body.includes('"role":"tool"')) response.setHeader('content-type', 'application/json').end(ADD_TO_CART)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const environment = { OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
      const words = [
        'ask',
        'Add a laptop to my cart',
        '--durable',
        'file',
        '--id',
        'shopping',
        '--lm',
        'openai:any',
        '--db',
        file,
      ]
      const { child, written } = start(words, { environment })
      await written('result')
      child.kill('SIGKILL')
      await once(child, 'close')
      expect((await here('runs')).out).toMatch(/^shopping {2}queued/m)
      const { code, out } = await demo('runs', 'resume', 'shopping', '--lm', 'rules')
      expect([code, out.match(/add_to_cart/g)?.length ?? 0]).toEqual([0, 0])
      expect((await here('ask', 'View my cart')).out).toMatch(/"quantity":1\b/)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('that is stopped prints the command to resume it', async () => {
    const { demo, file, runsFolder } = deskIn('stopped')
    await using engine = await createFileEngine({ folder: runsFolder })
    const server = createServer(() => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const environment = { OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
      const request = once(server, 'request')
      const words = ['ask', 'Show me the balance of checking', '--durable', 'file', '--id', 'slow', '--lm', 'openai:any']
      const { child, output } = start([...words, '--db', file], { environment })
      await request
      child.kill('SIGINT')
      const [code] = await once(child, 'close')
      expect([code, output.err]).toEqual([130, 'Stopped.\n'])
      expect(output.out).toContain(`To resume the run: npm run demo -- runs resume slow --db ${file}`)
      expect(await engine.status('slow')).toMatchObject({ state: 'queued' })
      expect((await demo('runs', 'resume', 'slow', '--lm', 'rules')).code).toBe(0)
      expect(readdirSync(runsFolder)).toEqual(['ended', 'orders', 'waiting'])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('is refused for a database in memory', async () => {
    const { code, err } = await runHere(['ask', PAY, '--durable', 'file', '--db', ':memory:'])
    expect([code, err]).toEqual([2, expect.stringMatching(/^A durable run needs a database that persists/)])
    const without = await runHere(['ask', PAY, '--durable', 'dbos', '--db', join(folder, 'dbos', 'demo.sqlite')])
    expect([without.code, without.err]).toEqual([
      2,
      expect.stringMatching(/^DBOS stores its runs in PostgreSQL\. Set DATABASE_URL/),
    ])
  })
})

const ADD_TO_CART = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: 'any',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'add_to_cart', arguments: '{"product_id":"LAP-101"}' } },
        ],
      },
    },
  ],
})
