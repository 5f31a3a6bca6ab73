import { existsSync } from 'node:fs'
import type { LM } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { sealToolsFile } from '../corpora.ts'
import { readDocuments } from '../described/read-documents.ts'
import { searcherLM } from '../described/searcher-lm.ts'
import type { ToolDocument } from '../described/tool-document.ts'
import { createTerminal } from '../view/terminal.ts'
import { runSearch } from './search.ts'

const MISSING = existsSync(sealToolsFile()) ? '' : ' (skipped: no corpora at X_CORPORA or ../shared/corpora)'

const THINGS = ['weather', 'currency', 'train', 'recipe', 'museum', 'star', 'river', 'song', 'stamp', 'tax']
const WAYS = [
  ['find', 'Find a'],
  ['delete', 'Delete a'],
  ['compare.two', 'Compare with another'],
] as const

const thirty: readonly ToolDocument[] = THINGS.flatMap((thing) =>
  WAYS.map(([way, words]) => ({
    name: `${way}_${thing}`,
    description: `${words} ${thing} of the collection, by its number or by the words that its keeper wrote on the label beneath it.`,
    parameters: { properties: { [thing]: { type: 'str', description: `The ${thing}` } }, required: [thing] },
  })),
)

async function search(request: string, documents = thirty, lm: LM = searcherLM(), COLUMNS = '200') {
  const lines: string[] = []
  const terminal = createTerminal({ write: (text) => lines.push(text.trimEnd()) }, { COLUMNS })
  const report = await runSearch({ request, documents, lm, terminal, signal: new AbortController().signal })
  return { report, lines }
}

describe('search', () => {
  it('shows the model only the tools it found, loads nothing else, and reports the savings', async () => {
    const { report, lines } = await search('Compare the currency with another one')
    expect(report).toMatchObject({ answered: true, tools: 30, renamed: 10, searches: 1 })
    expect(report.revealed[0]).toBe('compare_two_currency')
    expect(report.revealed.length).toBeLessThanOrEqual(8)
    expect(report.loaded).toBe(report.revealed.length)
    expect(report.requestBytes).toBeLessThan(report.allBytes)
    const shown = lines.join('\n')
    expect(shown).toMatch(/^ {2}answer {3}These tools fit: compare_two_currency.*stand-in/m)
    expect(shown).toMatch(/^ {2}registry 30 lazy tools, 10 renamed .*; built in \d/m)
    expect(shown).toMatch(/^ {2}search {3}1 in .*, including the index$/m)
    expect(shown).toMatch(/^ {2}loaded {3}\d of 30$/m)
    expect(shown).toMatch(/^ {2}request {2}[\d,]+ bytes; [\d,]+ with all tools: \d+\.\d % smaller$/m)
    expect(lines.at(-1)).toContain('descriptions without an implementation')
  })

  it('compares with a request that differs only in its tools', async () => {
    const lm = scriptedLM([{ text: 'No.' }])
    const { report } = await search('Hello', thirty, lm)
    const [request] = lm.requests
    expect(report.requestBytes).toBe(Buffer.byteLength(JSON.stringify(request)))
    const without = Buffer.byteLength(JSON.stringify({ ...request, tools: [] }))
    expect(report.allBytes - without).toBeGreaterThan(Buffer.byteLength(JSON.stringify(thirty)))
  })

  it('reports when nothing fits', async () => {
    const { report, lines } = await search('xyzzy plugh')
    expect(report).toMatchObject({ answered: true, revealed: [], loaded: 0 })
    expect(lines.join('\n')).toMatch(/answer {3}No tool fits\..*\n[\s\S]*revealed none/)
  })

  it('fails a call to a tool without an implementation', async () => {
    const call = (id: string, name: string, args: object) => ({ toolCalls: [{ id, name, arguments: JSON.stringify(args) }] })
    const lm = scriptedLM([
      call('1', 'search_tools', { query: 'delete a stamp' }),
      call('2', 'delete_stamp', { stamp: 'blue' }),
      { text: 'It cannot be done.' },
    ])
    const { report } = await search('Delete the blue stamp', thirty, lm)
    const result = lm.requests[2]?.messages.at(-1)
    expect(result).toMatchObject({ role: 'tool', isError: true, content: expect.stringContaining('Nothing was done') })
    expect(report).toMatchObject({ answered: true, searches: 1, loaded: report.revealed.length })
  })

  it('fails when the model finds no answer', async () => {
    const again = { toolCalls: [{ id: 'a', name: 'search_tools', arguments: '{"query":"tax"}' }] }
    const lm: LM = { generate: async () => ({ text: '', ...again }) }
    const { report, lines } = await search('Find the tax', thirty, lm)
    expect(report.answered).toBe(false)
    expect(lines.join('\n')).toMatch(/^ {2}failed /m)
  })

  it('fits the width of the terminal', async () => {
    const { lines } = await search('Find a star', thirty, searcherLM(), '50')
    expect(lines.filter((line) => line.length > 50)).toEqual([])
  })

  it.skipIf(MISSING !== '').each([
    ['Provide me with climate data for the region of Europe.', 'getClimateData'],
    ['Provide the capacity of platform with ID 61.', 'getPlatformCapacity'],
  ])(
    `reveals at most 8 of the 4,076 tools of Seal-Tools, in a request at least 95 percent smaller: %s${MISSING}`,
    async (request, needed) => {
      const { report } = await search(request, await readDocuments())
      expect(report).toMatchObject({ tools: 4_076, renamed: 3, answered: true })
      expect(report.revealed).toContain(needed)
      expect(report.revealed.length).toBeLessThanOrEqual(8)
      expect(report.loaded).toBe(report.revealed.length)
      expect(report.requestBytes / report.allBytes).toBeLessThanOrEqual(0.05)
    },
  )
})
