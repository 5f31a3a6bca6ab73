import { scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { DOMAINS } from '../../test/domains.ts'
import { createTerminal } from '../view/terminal.ts'
import { runAsk } from './ask.ts'

type Turn = Parameters<typeof scriptedLM>[0][number]

const look = (id: string, product: string): Turn => ({
  text: '',
  toolCalls: [{ id, name: 'get_product_details', arguments: JSON.stringify({ product_id: product }) }],
})

async function* noLines(): AsyncGenerator<string> {}

async function ask(turns: readonly Turn[], request = 'Look') {
  const lines: string[] = []
  const passed = await runAsk({
    request,
    entries: DOMAINS.filter(({ name }) => name === 'ecommerce'),
    place: { kind: 'sqlite', file: ':memory:' },
    user: undefined,
    lm: scriptedLM(turns),
    isRules: false,
    yes: false,
    canAsk: false,
    openLines: () => ({ lines: noLines(), prompt: () => {} }),
    terminal: createTerminal({ write: (text) => lines.push(text.trimEnd()) }, {}),
    signal: new AbortController().signal,
  })
  return { passed, lines }
}

describe('ask', () => {
  it('fails when the last call failed, whatever the answer says', async () => {
    const turns = [look('1', 'LAP-101'), look('2', 'NO-1'), { text: 'All is well.' }]
    expect((await ask(turns)).passed).toBe(false)
  })

  it('passes when a later call succeeds after a failed one', async () => {
    const turns = [look('1', 'NO-1'), look('2', 'LAP-101'), { text: 'Found it.' }]
    expect((await ask(turns)).passed).toBe(true)
  })

  it('shows one line of the request, without control characters', async () => {
    const { lines } = await ask([{ text: 'No.' }], `\u001b[2J${'long '.repeat(2000)}`)
    expect(lines[1]).toMatch(/^long long .*…$/)
    expect(lines[1]).toHaveLength(140)
  })
})
