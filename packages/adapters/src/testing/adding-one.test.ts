/** A dialect is a file and a line, a wire is a folder and a line: done in a copy of the package, as CONTRIBUTING.md says. */
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

it('a dialect', async () => {
  writeFileSync(
    join(copy, 'src/dialects/acme.ts'),
    `/** \`<call>{"name": …, "arguments": {…}}</call>\`, as Acme writes it. */
import { defineDialect } from './define/define-dialect.ts'
import { formatJsonBlocks, jsonBlock } from './families/json/json-block.ts'

const tags = { open: '<call>', close: '</call>' }

export const acme = defineDialect({
  name: 'acme',
  models: [/^acme/],
  blocks: [jsonBlock({ ...tags, shape: { name: ['name'], arguments: ['arguments'] } })],
  formatCalls: formatJsonBlocks(tags),
})
`,
  )
  appendFileSync(join(copy, 'src/dialects/all.ts'), "export { acme } from './acme.ts'\n")
  const { dialectFor } = (await import(join(copy, 'src/dialects/index.ts'))) as typeof dialects
  const { allDialects } = await import(join(copy, 'test/dialects/dialects.ts'))
  const acme = dialectFor('acme/Acme-7B-Instruct')
  if (acme === undefined) throw new Error('No dialect is found by the name of its model.')
  expect(allDialects).toContain(acme)
  for (const { id, run } of dialectContract(acme, { runs: 20 })) if (id !== 'linear') run()
})

it('a wire', async () => {
  const folder = join(copy, 'src/wire/acme')
  cpSync(join(copy, 'src/wire/ollama'), folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    const code = readFileSync(join(folder, name), 'utf8')
    const renamed = code.replaceAll('ollama', 'acme').replaceAll('Ollama', 'Acme').replaceAll('OLLAMA', 'ACME')
    // The API of Acme has fields that no other one has, in what it takes and in what it sends.
    writeFileSync(join(folder, name), renamed.replace(/(tool_calls|done_reason|tool_name|thinking|eval_count)\b/g, 'acme_$1'))
  }
  appendFileSync(join(copy, 'src/wire/index.ts'), "export { acme } from './acme/wire.ts'\n")
  const { WIRES } = (await import(join(copy, 'test/testing/wires.ts'))) as { readonly WIRES: readonly TestWire[] }
  const acme = WIRES.find(({ wire }) => wire.name === 'acme')
  if (acme === undefined) throw new Error('The tests and the docs have no wire of that name.')
  for (const { run } of wireContract(acme.wire, { ...acme, others: WIRES })) run()
})
