import type { AskedCall } from '@x/react-agent'
import { describe, expect, it } from 'vitest'
import { createApprover } from './approver.ts'
import { createTerminal } from './terminal.ts'

const call = { name: 'pay_bill', args: { payee: 'Northwind Energy', amount: 80 } } as unknown as AskedCall

async function decide({ yes = false, canAsk = false, line }: { yes?: boolean; canAsk?: boolean; line?: string }) {
  let shown = ''
  const terminal = createTerminal({ write: (text) => (shown += text) }, { COLUMNS: '200' })
  const read = async () => line
  const approve = createApprover({ yes, canAsk, terminal, read, findFault: async () => undefined })
  return { decision: await approve(call), shown }
}

describe('a call that requires approval', () => {
  it('is approved without a question if the user passed --yes', async () => {
    expect(await decide({ yes: true })).toEqual({ decision: true, shown: '' })
  })

  it('is decided in the terminal', async () => {
    expect((await decide({ canAsk: true, line: 'y' })).decision).toEqual({ type: 'approve' })
    expect((await decide({ canAsk: true, line: 'n' })).decision).toMatchObject({ type: 'reject' })
  })

  it('is refused without a terminal, and the user reads how to allow it', async () => {
    const { decision, shown } = await decide({ line: 'y' })
    expect(decision).toMatchObject({ type: 'reject' })
    expect(shown).toContain('refused  pay_bill {"payee":"Northwind Energy","amount":80}')
    expect(shown).toContain('To allow it, pass --yes or use a terminal.')
  })
})
