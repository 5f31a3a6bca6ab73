import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askForYes, readAnswer } from './ask-for-yes.ts'
import { createTerminal } from './terminal.ts'

const args = { payee: 'Northwind Energy', amount: 86.4 }

describe('an answer', () => {
  it.each([
    ['y', { type: 'approve' }],
    [' Yes ', { type: 'approve' }],
    ['n', { type: 'reject', reason: undefined }],
    ['no  too much ', { type: 'reject', reason: 'too much' }],
    ['edit amount=50', { type: 'edit', args: { ...args, amount: 50 } }],
    ['e payee = City Electronics', { type: 'edit', args: { ...args, payee: 'City Electronics' } }],
    ['edit {"amount":50,"note":"half"}', { type: 'edit', args: { ...args, amount: 50, note: 'half' } }],
  ])('%j is read', (line, decision) => {
    expect(readAnswer(line, args)).toEqual(decision)
  })

  it.each(['', 'maybe', 'yes, but less', 'edit', 'edit 50', 'edit =50', 'edit [1]', 'edit {"amount":'])(
    '%j is invalid',
    (line) => {
      expect(readAnswer(line, args)).toBeUndefined()
    },
  )

  it('is an approval only without further words', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `edit ${text}`),
        ),
        (line) => {
          const decision = readAnswer(line, args)
          expect(decision?.type === 'approve').toBe(/^\s*y(?:es)?\s*$/i.test(line))
        },
      ),
    )
  })

  it("cannot change an object's prototype", () => {
    for (const line of ['edit __proto__={"amount":1}', 'edit {"__proto__":{"amount":1}}'])
      expect(Object.getPrototypeOf((readAnswer(line, args) as { args: object }).args)).toBe(Object.prototype)
  })
})

describe('the question', () => {
  async function ask(...answers: readonly string[]) {
    const left = [...answers]
    let shown = ''
    const terminal = createTerminal({ write: (text) => (shown += text) }, { COLUMNS: '80' })
    const call = { callId: '1', name: 'pay_bill', args, needs: 'approval' as const, digest: '' }
    const decision = await askForYes(call, {
      terminal,
      read: async () => left.shift(),
      findFault: async ({ args: { amount } }) => (amount === 'x' ? '/amount must be number' : undefined),
    })
    return { decision, asked: shown.split('Answer y, n').length - 1, shown }
  }

  it('shows the call, and is asked again after an invalid answer', async () => {
    const { decision, asked, shown } = await ask('what?', 'n too much')
    expect([decision, asked]).toEqual([{ type: 'reject', reason: 'too much' }, 2])
    expect(shown).toContain('waits    pay_bill {"payee":"Northwind Energy","amount":86.4}')
  })

  it('is asked again, with the error, after invalid arguments', async () => {
    const { decision, asked, shown } = await ask('edit amount=x', 'edit amount=50')
    expect([decision, asked]).toEqual([{ type: 'edit', args: { ...args, amount: 50 } }, 2])
    expect(shown).toContain('refused  /amount must be number')
  })

  it('is answered with a rejection at the end of the input', async () => {
    expect((await ask()).decision).toEqual({ type: 'reject', reason: 'The input ended before an answer.' })
  })
})
