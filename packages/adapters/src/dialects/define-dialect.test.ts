import { expect, it } from 'vitest'
import { defineDialect } from './define-dialect.ts'
import { jsonBlock } from './families/json-block.ts'

it('two blocks with the same open marker are refused: only one of them would be read', () => {
  const define = () =>
    defineDialect({
      name: 'twice',
      blocks: [jsonBlock({ open: ['<a>', '<b>'] }), jsonBlock({ open: '<b>' })],
      formatCalls: () => '',
    })
  expect(define).toThrow('Two blocks of the dialect "twice" open with "<b>"')
})
