/**
 * Tests in a copy of the package that a dialect needs only a file and a line, and a wire format only a folder and a line, as
 * CONTRIBUTING.md says.
 */
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestWire } from '../../test/testing/wires.ts'
import type * as dialects from '../dialects/index.ts'
import { dialectContract } from './dialect-contract.ts'
import { wireContract } from './wire-contract.ts'

const root = join(import.meta.dirname, '../..')
let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(root, '.copy-'))
  for (const folder of ['src', 'test']) cpSync(join(root, folder), join(copy, folder), { recursive: true })
})

afterAll(() => rmSync(copy, { recursive: true }))

it('accepts a new dialect', async () => {
  writeFileSync(
    join(copy, 'src/dialects/addedbytest.ts'),
    `/** \`<call>{"name": …, "arguments": {…}}</call>\`, as a model of this test writes it. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect } from './define/define-dialect.ts'
import { formatJsonBlocks, jsonBlock } from './families/json/json-block.ts'

const tags = { open: '<call>', close: '</call>' }

export const addedbytest = lazyDialect({ name: 'addedbytest', models: [/^addedbytest/] }, () => ({
  controlTokens: CONTROL_TOKENS.chatml,
  blocks: [jsonBlock({ ...tags, shape: { name: ['name'], arguments: ['arguments'] } })],
  formatCalls: formatJsonBlocks(tags),
}))
`,
  )
  appendFileSync(join(copy, 'src/dialects/all.ts'), "export { addedbytest } from './addedbytest.ts'\n")
  const { dialectFor } = (await import(join(copy, 'src/dialects/index.ts'))) as typeof dialects
  const { allDialects } = await import(join(copy, 'test/dialects/dialects.ts'))
  const addedByTest = dialectFor('vendor/AddedByTest-7B-Instruct')
  if (addedByTest === undefined) throw new Error('No dialect is found by the name of its model.')
  expect(allDialects).toContain(addedByTest)
  for (const { id, run } of dialectContract(addedByTest, { runs: 20 })) if (id !== 'linear') run()
})

it('accepts a new wire format', async () => {
  const folder = join(copy, 'src/wire/addedbytest')
  cpSync(join(copy, 'src/wire/ollama'), folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    const code = readFileSync(join(folder, name), 'utf8')
    const renamed = code
      .replaceAll('ollama', 'addedbytest')
      .replaceAll('Ollama', 'Addedbytest')
      .replaceAll('OLLAMA', 'ADDEDBYTEST')
    // The API of this wire format has fields that no other API has, in requests and in replies.
    writeFileSync(
      join(folder, name),
      renamed.replace(/(tool_calls|done_reason|tool_name|thinking|eval_count)\b/g, 'addedbytest_$1'),
    )
  }
  appendFileSync(join(copy, 'src/wire/index.ts'), "export { addedbytest } from './addedbytest/wire.ts'\n")
  const { WIRES } = (await import(join(copy, 'test/testing/wires.ts'))) as { readonly WIRES: readonly TestWire[] }
  const addedByTest = WIRES.find(({ wire }) => wire.name === 'addedbytest')
  if (addedByTest === undefined) throw new Error('The tests and the docs have no wire of that name.')
  for (const { run } of wireContract(addedByTest.wire, { ...addedByTest, others: WIRES })) run()
})
