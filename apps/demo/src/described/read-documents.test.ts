import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UsageError } from '../failure.ts'
import { readDocuments } from './read-documents.ts'

const folder = mkdtempSync(join(tmpdir(), 'demo-documents-'))
const file = join(folder, 'tools.json')

afterAll(() => rmSync(folder, { recursive: true }))

describe('a list of described tools', () => {
  it('is read with the category of each tool, if it has one', async () => {
    const list = [
      { name: 'a b', description: 'Does a.', field: 'Letters', parameters: { properties: {} } },
      { name: 'c', description: 'Does c.' },
    ]
    writeFileSync(file, JSON.stringify(list))
    expect(await readDocuments(file)).toEqual([
      { name: 'a b', description: 'Does a.', category: 'Letters', parameters: { properties: {} } },
      { name: 'c', description: 'Does c.', category: undefined, parameters: {} },
    ])
  })

  it.each([
    ['{', /is not JSON: /],
    ['{}', /isn't a list of tools\. Write \[/],
    ['[]', /isn't a list of tools\. Write \[/],
    ['[{"name":"a","description":"b"},null]', /item 2 of .* isn't an object/],
    ['[{"description":"b"}]', /item 1 of .* has no name/],
    ['[{"name":"a","description":" "}]', /item 1 of .* has no description/],
    ['[{"name":"a","description":"b","parameters":[]}]', /item 1 of .* has parameters that aren't an object/],
  ])('%s is answered with one line that says where it is wrong', async (text, message) => {
    writeFileSync(file, text)
    const failure = await readDocuments(file).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UsageError)
    expect((failure as Error).message).toMatch(message)
    expect((failure as Error).message).not.toContain('\n')
  })

  it('is requested when it does not exist or is a directory', async () => {
    await expect(readDocuments(folder)).rejects.toThrow(new UsageError(`--tools: ${folder} doesn't exist or isn't a file.`))
    const missing = readDocuments(undefined, { X_CORPORA: folder })
    await expect(missing).rejects.toThrow(
      /^There are no tools to search: .*seal-tools\.json doesn't exist\. Set X_CORPORA .* --tools/,
    )
  })
})
