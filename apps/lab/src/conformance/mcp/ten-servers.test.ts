/** Ten MCP servers with a thousand tools each in one registry: an agent finds what it needs and connects to nothing else. */
import { defineSignature, type LMRequest } from '@x/adapters'
import { anthropicMessages } from '@x/adapters/wire'
import { scriptedLM } from '@x/lm/testing'
import { type McpSource, mcp } from '@x/mcp'
import { createReactAgent } from '@x/react-agent'
import { createRegistry } from '@x/registry'
import { toSpec } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { countedServer, type ListedTool } from '../../../test/mcp/stateless-handler.ts'

const THINGS: Readonly<Record<string, readonly string[]>> = {
  billing: ['invoice', 'refund', 'receipt', 'quote', 'discount', 'subscription', 'tax_report', 'reminder', 'statement', 'payout'],
  calendar: ['meeting', 'holiday', 'room', 'invitation', 'deadline', 'shift', 'birthday', 'agenda', 'timezone', 'poll'],
  mail: ['message', 'attachment', 'folder', 'signature', 'filter', 'newsletter', 'mailbox', 'contact', 'thread', 'draft'],
  tickets: ['bug', 'incident', 'epic', 'sprint', 'label', 'milestone', 'release', 'backlog', 'blocker', 'escalation'],
  wiki: ['page', 'template', 'glossary', 'diagram', 'comment', 'revision', 'bookmark', 'space', 'chapter', 'footnote'],
  payroll: ['salary', 'bonus', 'payslip', 'pension', 'overtime', 'allowance', 'deduction', 'contract', 'garnishment', 'leave'],
  fleet: ['vehicle', 'driver', 'route', 'trailer', 'fuel_card', 'tire', 'inspection', 'garage', 'toll', 'permit'],
  garden: ['plant', 'seed', 'greenhouse', 'watering', 'harvest', 'hedge', 'fertilizer', 'pond', 'compost', 'orchard'],
  library: ['book', 'loan', 'shelf', 'author', 'catalog', 'reader', 'journal', 'fine', 'reservation', 'magazine'],
  kitchen: ['recipe', 'menu', 'oven', 'pantry', 'dessert', 'spice', 'banquet', 'supplier', 'allergen', 'tasting'],
}
const ACTIONS = ['create', 'delete', 'list', 'search', 'export', 'archive', 'approve', 'rename', 'share', 'print']
const SORTS = ['unfinished', 'old', 'new', 'common', 'private', 'monthly', 'urgent', 'lost', 'signed', 'open']
const SERVERS = Object.keys(THINGS)

/** Returns a thousand tools: ten actions on ten kinds of ten things. */
function toolsOf(server: string): readonly ListedTool[] {
  return ACTIONS.flatMap((action) =>
    SORTS.flatMap((sort) =>
      (THINGS[server] ?? []).map((thing) => ({
        name: `${action}_${sort}_${thing}`,
        description: `${action} a ${sort} ${thing.replaceAll('_', ' ')}.`,
        inputSchema: {
          type: 'object',
          properties: {
            id: { type: 'string', description: `Id of the ${thing.replaceAll('_', ' ')}.` },
            note: { type: 'string', description: 'Why it is done, for the log.' },
          },
          required: ['id'],
        },
      })),
    ),
  )
}

it('finds a tool among 10,000, and connects only to its server', async () => {
  // An earlier process listed all tools and stored their cards.
  const first = SERVERS.map((name) => mcp(name, countedServer(name, toolsOf(name)).server))
  const stored = new Map<string, ReturnType<McpSource['cards']>>()
  for (const source of first) {
    await source.open()
    stored.set(source.name, JSON.parse(JSON.stringify(source.cards())))
    await source.close()
  }

  const served = new Map(SERVERS.map((name) => [name, countedServer(name, toolsOf(name))]))
  const sources = [...served].map(([name, { server }]) => mcp(name, server, { cards: stored.get(name) }))
  const registry = createRegistry(sources)
  expect(registry.names).toHaveLength(10_000)

  const requests: LMRequest[] = []
  const lm = scriptedLM([
    (request) => {
      requests.push(request)
      return { toolCalls: [{ id: '1', name: 'search_tools', arguments: '{"query":"approve a signed invoice"}' }] }
    },
    (request) => {
      requests.push(request)
      return { toolCalls: [{ id: '2', name: 'billing_approve_signed_invoice', arguments: '{"id":"7"}' }] }
    },
    { text: 'Approved.' },
  ])
  const agent = await createReactAgent({
    lm,
    tools: [],
    search: registry,
    signature: defineSignature({ instructions: 'Help.', inputs: { task: Type.String() }, outputs: { answer: Type.String() } }),
  })
  const { trajectory } = await agent.run({ task: 'Approve the signed invoice 7.' })
  expect(trajectory.messages.map(({ content }) => content)).toContain('approve_signed_invoice is done.')
  const connected = [...served].filter(([, { requests: count }]) => count() > 0).map(([name]) => name)
  expect(connected).toEqual(['billing'])

  const bytes = (request: LMRequest) => Buffer.byteLength(JSON.stringify(anthropicMessages.encode(request, 'model')))
  const [, revealed] = requests
  const all = [...(await registry.resolve()).values()].map(toSpec)
  const used = bytes(revealed as LMRequest)
  const whole = bytes({ ...(requests[0] as LMRequest), tools: all })
  expect(used).toBeLessThan(whole / 500)
  await Promise.all(sources.map((source) => source.close()))
})
