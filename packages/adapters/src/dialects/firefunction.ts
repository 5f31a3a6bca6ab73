/** ` functools[{"name": …, "arguments": {…}}, …]`, as Firefunction 2 writes it. */
import { defineDialect } from './define-dialect.ts'
import { loose } from './engine/marker.ts'
import { formatJsonBlocks, jsonBlock } from './families/json-block.ts'

export const firefunction = defineDialect({
  name: 'firefunction',
  blocks: [jsonBlock({ open: loose('functools ['), holds: 'items' })],
  formatCalls: formatJsonBlocks({ open: ' functools', together: 'list' }),
})
