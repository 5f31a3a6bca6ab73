import type { McpQuestion } from '@x/mcp'
import { describe, expect, it } from 'vitest'
import { createElicit } from './answer-question.ts'
import { createTerminal } from './terminal.ts'

const about = { server: 'shop', tool: 'shop_pay', message: 'Pay 10 dollars?' }
const approval: McpQuestion = { ...about, mode: 'form', schema: { type: 'object', properties: {} } }
const size = { type: 'object', properties: { size: { type: 'string' } }, required: ['size'] }
const form: McpQuestion = { ...about, mode: 'form', message: 'Which size?', schema: size }
const page: McpQuestion = { ...about, mode: 'url', url: 'https://pay.test/1', host: 'pay.test' }

interface User {
  readonly yes?: boolean
  readonly canAsk?: boolean
  readonly lines?: readonly string[]
}

async function answer(question: McpQuestion, { yes = false, canAsk = true, lines = [] }: User) {
  let shown = ''
  const terminal = createTerminal({ write: (text) => (shown += text) }, { COLUMNS: '200' })
  const left = [...lines]
  const elicit = createElicit({ yes, canAsk, terminal, read: async () => left.shift() })
  return { answer: await elicit(question, { signal: new AbortController().signal }), shown }
}

describe('a question of a server', () => {
  it('is asked until the answer is understood', async () => {
    const { answer: given, shown } = await answer(approval, { lines: ['what?', 'y'] })
    expect(given).toEqual({ action: 'accept' })
    expect(shown).toContain('asks     shop: Pay 10 dollars?')
    expect(shown.match(/Answer y or n/g)).toHaveLength(2)
    for (const lines of [['n'], ['No'], []]) expect((await answer(approval, { lines })).answer).toEqual({ action: 'decline' })
  })

  it('gets values by name or as JSON', async () => {
    const { answer: given, shown } = await answer(form, { lines: ['y', 'size=large'] })
    expect(given).toEqual({ action: 'accept', content: { size: 'large' } })
    expect(shown).toContain('Names: size')
    expect((await answer(form, { lines: ['{"size":"small"}'] })).answer).toEqual({ action: 'accept', content: { size: 'small' } })
  })

  it('shows the host and the address of a page, which --yes does not open', async () => {
    const { answer: given, shown } = await answer(page, { yes: true, lines: ['n'] })
    expect(given).toEqual({ action: 'decline' })
    expect(shown).toContain('Open this page on pay.test yourself, then answer: https://pay.test/1')
  })

  it('is accepted with --yes if it needs no values, and declined without a terminal otherwise', async () => {
    expect((await answer(approval, { yes: true, canAsk: false })).answer).toEqual({ action: 'accept' })
    for (const question of [form, page]) {
      const { answer: given, shown } = await answer(question, { yes: true, canAsk: false, lines: ['size=large'] })
      expect(given).toEqual({ action: 'decline' })
      expect(shown).toContain('declined There is no terminal to ask in.')
    }
    expect((await answer(approval, { canAsk: false, lines: ['y'] })).answer).toEqual({ action: 'decline' })
  })
})
