import { scriptedLM } from '@x/lm/testing'
import { expect, it } from 'vitest'
import { DOMAINS } from '../../test/domains.ts'
import { createTerminal } from '../view/terminal.ts'
import { runChat } from './chat.ts'

const entries = DOMAINS.filter(({ name }) => name === 'finance')
const terminal = createTerminal({ write: () => {} }, {})

/** Returns the input of a user who enters these lines and stays. `isOpen` is true until the reader releases the input. */
function input(...lines: readonly string[]) {
  const state = { isOpen: true }
  async function* read() {
    try {
      yield* lines
      await new Promise(() => {})
    } finally {
      state.isOpen = false
    }
  }
  return { state, openLines: () => ({ lines: read(), prompt: () => {} }) }
}

const call = (id: string, name: string, args: object) => ({ toolCalls: [{ id, name, arguments: JSON.stringify(args) }] })

it('takes the line after a question as the answer to it, and the next as a request', async () => {
  const lm = scriptedLM([
    call('1', 'pay_bill', { payee: 'Northwind Energy', amount: 86.4, account: 'checking' }),
    { text: 'You said no.' },
    { text: 'Hello.' },
  ])
  const { openLines } = input('Pay it', 'no it is too much', 'Hello', '/exit')
  const place = { kind: 'sqlite' as const, file: ':memory:' }
  const { signal } = new AbortController()
  expect(
    await runChat({ entries, place, user: undefined, lm, isRules: false, yes: false, canAsk: true, terminal, openLines, signal }),
  ).toBe(true)
  expect(lm.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('it is too much') })
  expect(lm.requests[2]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'Hello' })
})

it('asks again after invalid arguments, and pays nothing meanwhile', async () => {
  const lm = scriptedLM([
    call('1', 'pay_bill', { payee: 'Northwind Energy', amount: 86.4, account: 'checking' }),
    { text: 'Paid.' },
  ])
  const { openLines } = input('Pay it', 'edit amount=x', 'edit amuont=80', 'edit amount=-5', 'edit amount=80', '/exit')
  let shown = ''
  const screen = createTerminal({ write: (text) => (shown += text) }, { COLUMNS: '200' })
  const place = { kind: 'sqlite' as const, file: ':memory:' }
  const { signal } = new AbortController()
  expect(
    await runChat({
      entries,
      place,
      user: undefined,
      lm,
      isRules: false,
      yes: false,
      canAsk: true,
      terminal: screen,
      openLines,
      signal,
    }),
  ).toBe(true)
  const refused = [...shown.matchAll(/refused {2}(.*)/g)].map(([, words]) => words)
  expect(refused).toEqual([
    expect.stringContaining('/amount must be number'),
    'pay_bill has no argument "amuont". Did you mean "amount"?',
    expect.stringContaining('/amount must be > 0'),
  ])
  expect(lm.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringMatching(/"amount":80\b/) })
})

it('releases the input when it fails', async () => {
  const lm = scriptedLM([call('1', 'list_accounts', {})])
  const { state, openLines } = input('Show me my accounts')
  const place = { kind: 'sqlite' as const, file: import.meta.dirname }
  const { signal } = new AbortController()
  const chat = runChat({
    entries,
    place,
    user: undefined,
    lm,
    isRules: false,
    yes: false,
    canAsk: true,
    terminal,
    openLines,
    signal,
  })
  await expect(chat).rejects.toMatchObject({ name: 'SqlError' })
  expect(state.isOpen).toBe(false)
})

it('asks before it moves money, asks again if the answer is unclear, and follows the answer', async () => {
  const pay = (id: string) => call(id, 'pay_bill', { payee: 'Northwind Energy', amount: 86.4, account: 'checking' })
  const lm = scriptedLM([
    pay('1'),
    { text: 'Paid.' },
    pay('2'),
    { text: 'Not paid.' },
    call('3', 'get_balance', { account: 'checking' }),
    { text: 'There it is.' },
  ])
  const { openLines } = input('Pay it', 'hm', 'edit amount=80', 'Pay it', 'n not again', 'How much is left?', 'exit')
  let shown = ''
  const screen = createTerminal({ write: (text) => (shown += text) }, { COLUMNS: '200' })
  const place = { kind: 'sqlite' as const, file: ':memory:' }
  const { signal } = new AbortController()
  const options = { entries, place, user: undefined, lm, isRules: false, yes: false, canAsk: true, openLines, signal }
  expect(await runChat({ ...options, terminal: screen })).toBe(true)
  expect(shown.match(/waits {4}pay_bill/g)).toHaveLength(2)
  expect(shown.match(/Answer y, n/g)).toHaveLength(3)
  expect(shown).toMatch(/rejected this call, so it was not run\. Reason: not again[\s\S]*"balance":3265\.66/)
})

it('ends a question with a rejection when the input ends', async () => {
  const lm = scriptedLM([
    call('1', 'pay_bill', { payee: 'Northwind Energy', amount: 86.4, account: 'checking' }),
    { text: 'Not paid.' },
  ])
  async function* lines() {
    yield 'Pay it'
  }
  const place = { kind: 'sqlite' as const, file: ':memory:' }
  const { signal } = new AbortController()
  const openLines = () => ({ lines: lines(), prompt: () => {} })
  await runChat({ entries, place, user: undefined, lm, isRules: false, yes: false, canAsk: true, terminal, openLines, signal })
  expect(lm.requests[1]?.messages.at(-1)).toMatchObject({ content: expect.stringContaining('The input ended before an answer') })
})
