/** The `mcp` bench: 10,000 tools served over loopback HTTP and listed page by page, compared with the SDK alone. */
import type { Bench, Goal, Subject } from '../bench.ts'
import type { ListingSubject } from './mcp-listing.ts'

const BASE = 'sdk'
const OURS = '@x/mcp'
const SERVER = '@x/mcp server'
const TOOLS = 10_000
const PAGES = new Map([
  ['1,000 a page', 1_000],
  ['100 a page', 100],
])
const SDK = ['@modelcontextprotocol/server', '@modelcontextprotocol/client']

// Imported lazily, so that processes of other benches load neither the SDK nor our packages.
const loadSubjects = () => import('./mcp-subjects.ts')

const subjects: readonly Subject[] = [
  { name: BASE, packages: SDK, load: async () => (await loadSubjects()).sdk },
  { name: SERVER, packages: ['@x/mcp', '@x/registry', ...SDK], load: async () => (await loadSubjects()).ownServer },
  { name: OURS, packages: ['@x/mcp', '@x/registry', ...SDK], load: async () => (await loadSubjects()).own },
]

export const mcp: Bench = {
  name: 'mcp',
  per: 'tool',
  base: BASE,
  subjects,
  cases: [...PAGES.keys()],
  goals: [...PAGES.keys()].flatMap((caseName) =>
    [SERVER, OURS].flatMap((subject) => [beside(subject, caseName, 'cpu'), beside(subject, caseName, 'wall')]),
  ),
  async open(subject, caseName, peersFolder) {
    const { openListing } = await import('./mcp-listing.ts')
    const pageSize = PAGES.get(caseName)
    if (pageSize === undefined) throw new Error(`There is no case ${caseName}.`)
    return openListing((await subject.load(peersFolder)) as ListingSubject, { count: TOOLS, pageSize })
  },
}

function beside(subject: string, caseName: string, by: 'cpu' | 'wall'): Goal {
  const words = by === 'wall' ? 'wall time, at most 1.3 times' : 'at most 1.3 times'
  return {
    name: `${subject}, ${caseName}: ${words} ${BASE}`,
    limit: 1.3,
    cell: { subject, case: caseName },
    over: { subject: BASE, case: caseName },
    by,
  }
}
