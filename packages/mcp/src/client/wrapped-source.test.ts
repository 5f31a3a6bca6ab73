import { createRegistry, type RegistryEntry } from '@x/registry'
import { callTool, defineTool, type Tool } from '@x/tool-core'
import { approvalRequired, combine, filtered, prefixed, renamed, withContext, wrapped } from '@x/toolset'
import * as Type from 'typebox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, failure, shown } from '../../test/calls.ts'
import { type ServedTool, statelessServer } from '../../test/stateless-server.ts'
import { mcp } from './mcp.ts'
import type { McpOptions, McpServer } from './options.ts'

const named = (name: string): ServedTool => ({ name, description: `Does ${name}.` })
const list: ServedTool = { ...named('list'), annotations: { readOnlyHint: true } }
const pay: ServedTool = { ...named('pay'), annotations: { readOnlyHint: false } }
const shop = () => connect(statelessServer([list, pay], { listChanged: true }).server, { trust: ['readOnlyHint'] })

const namesIn = async (...entries: RegistryEntry[]) => [...(await createRegistry(entries).resolve()).keys()]

async function toolIn(source: RegistryEntry, name: string): Promise<Tool> {
  return (await createRegistry([source]).resolve(name)).get(name) as Tool
}

describe('a wrapped MCP source in a registry', () => {
  it.each([
    ['approvalRequired', approvalRequired, ['shop_list', 'shop_pay']],
    ['prefixed', (source) => prefixed(source, 'my'), ['my_shop_list', 'my_shop_pay']],
    ['filtered by name', (source) => filtered(source, ['shop_pay']), ['shop_pay']],
    ['filtered by function', (source) => filtered(source, ({ effect }) => effect === 'read'), ['shop_list']],
    ['renamed', (source) => renamed(source, { shop_pay: 'shop_buy' }), ['shop_list', 'shop_buy']],
    ['wrapped', (source) => wrapped(source, (_call, next) => next()), ['shop_list', 'shop_pay']],
    ['withContext', (source) => withContext(source, { user: 'ann' }), ['shop_list', 'shop_pay']],
    [
      'several',
      (source) =>
        approvalRequired(
          prefixed(
            filtered(source, () => true),
            'my',
          ),
        ),
      ['my_shop_list', 'my_shop_pay'],
    ],
  ] satisfies [string, (source: ReturnType<typeof shop>['source']) => RegistryEntry, string[]][])(
    '%s',
    async (_, wrap, names) => {
      const source = wrap(shop().source)
      expect(await namesIn(source)).toEqual(names)
      const registry = createRegistry([source])
      expect(registry.names).toEqual(names)
      expect((await registry.search('pay list')).length).toBe(names.length)
      for (const name of names) {
        const tool = await toolIn(source, name)
        const result = await callTool(tool, { id: '1', name, args: {} }, { approve: () => true })
        expect(shown(result)).toBe(`called ${name.endsWith('list') ? 'list' : 'pay'}`)
      }
    },
  )

  it.each([
    ['not wrapped', (source) => source],
    ['wrapped', (source) => approvalRequired(prefixed(source, 'my'))],
  ] satisfies [string, (source: ReturnType<typeof shop>['source']) => RegistryEntry][])(
    'is limited by its `connectTimeoutMs` instead of `loadTimeoutMs`, %s',
    async (_, wrap) => {
      const { server } = statelessServer([list])
      const slow: typeof fetch = async (...request) => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return await (server as { fetch: typeof fetch }).fetch(...request)
      }
      const resolve = async (send: typeof fetch, options?: McpOptions) =>
        await createRegistry([wrap(connect({ ...server, fetch: send } as McpServer, options).source)], {
          loadTimeoutMs: 1,
        }).resolve()
      expect((await resolve(slow)).size).toBe(1)
      await expect(resolve(() => new Promise(() => {}), { connectTimeoutMs: 20 })).rejects.toThrow(
        "the server didn't answer within 20 ms",
      )
    },
  )

  it('starts nothing before a tool is resolved, and is searched with the cards of an earlier listing', async () => {
    const served = statelessServer([list, pay])
    const cards = [
      { name: 'shop_list', description: 'Does list.' },
      { name: 'shop_pay', description: 'Does pay.' },
    ]
    const { source } = connect(served.server, { cards })
    const registry = createRegistry([prefixed(approvalRequired(filtered(source, ['shop_pay'])), 'my')])
    expect(registry.cards()).toEqual([{ name: 'my_shop_pay', description: 'Does pay.' }])
    expect((await registry.search('pay')).map(({ name }) => name)).toEqual(['my_shop_pay'])
    expect(served.requests).toEqual([])
    expect([...(await registry.resolve('my_shop_pay')).values()]).toMatchObject([{ needsApproval: true }])
    expect(served.requests).toEqual(['server/discover', 'tools/list'])
  })

  it('requires approval of the chosen tools', async () => {
    const source = approvalRequired(shop().source, ({ effect }) => effect !== 'read')
    const result = await callTool(await toolIn(source, 'shop_pay'), { id: '1', name: 'shop_pay', args: {} })
    expect(failure(result).code).toBe('approval_required')
    expect(shown(await callTool(await toolIn(source, 'shop_list'), { id: '1', name: 'shop_list', args: {} }))).toBe('called list')
  })

  it('refuses a misspelled name, also when one other tool is resolved', async () => {
    const registry = createRegistry([approvalRequired(shop().source, ['shop_payy'])])
    await expect(registry.resolve('shop_pay')).rejects.toThrow('the source has no tool "shop_payy". Did you mean "shop_pay"?')
    const opened = shop()
    await opened.source.open()
    await expect(createRegistry([approvalRequired(opened.source, ['shop_payy'])]).resolve('shop_pay')).rejects.toThrow(
      'the source has no tool "shop_payy". Did you mean "shop_pay"?',
    )
  })

  it('refuses a new name that is taken', async () => {
    const opened = shop()
    await opened.source.open()
    const registry = () => createRegistry([renamed(opened.source, { shop_list: 'shop_pay' })])
    expect(registry).toThrow('shop_pay')
  })

  it('follows the list of its server', async () => {
    const served = statelessServer([list, pay], { listChanged: true })
    const { source } = connect(served.server, { trust: ['readOnlyHint'] })
    const registry = createRegistry([
      prefixed(
        filtered(source, ({ effect }) => effect === 'read'),
        'my',
      ),
    ])
    await registry.resolve('my_*')
    let changes = 0
    onTestFinished(registry.onChange(() => changes++))
    served.tools = [list, pay, { ...named('count'), annotations: { readOnlyHint: true } }]
    served.notify()
    await expect.poll(() => registry.names).toEqual(['my_shop_list', 'my_shop_count'])
    expect(changes).toBe(1)
  })
})

describe('MCP sources that are combined, in a registry', () => {
  const mailSource = (server: McpServer) => {
    const source = mcp('mail', server)
    onTestFinished(() => source.close())
    return source
  }
  const two = () => {
    const shop = statelessServer([list, pay])
    const mail = statelessServer([named('send')])
    return { shop, mail, sources: [connect(shop.server).source, mailSource(mail.server)] as const }
  }

  it('stay lazy: only the server of the resolved tool is started', async () => {
    const { shop, mail, sources } = two()
    const registry = createRegistry([combine(...sources, echo)])
    expect(registry.names).toEqual(['echo'])
    expect([...(await registry.resolve('shop_pay')).keys()]).toEqual(['shop_pay'])
    expect(shop.requests).toContain('tools/list')
    expect(mail.requests).toEqual([])
    expect([...(await registry.resolve()).keys()].sort()).toEqual(['echo', 'mail_send', 'shop_list', 'shop_pay'])
  })

  it('are searched with the cards of an earlier listing', () => {
    const shop = connect(statelessServer([pay]).server, { cards: [{ name: 'shop_pay', description: 'Does pay.' }] }).source
    const mail = mailSource(statelessServer([]).server)
    expect(createRegistry([combine(mail, shop)]).cards()).toEqual([{ name: 'shop_pay', description: 'Does pay.' }])
  })

  it('stay lazy in wrappers and in other combinations', async () => {
    const { shop, mail, sources } = two()
    const inner = filtered(combine(...sources), ({ name }) => name !== 'shop_list')
    const registry = createRegistry([prefixed(approvalRequired(combine(inner, echo)), 'my')])
    expect([...(await registry.resolve('my_mail_send')).values()]).toMatchObject([{ needsApproval: true }])
    expect(shop.requests).toEqual([])
    expect(mail.requests).not.toEqual([])
    expect([...(await registry.resolve()).keys()].sort()).toEqual(['my_echo', 'my_mail_send', 'my_shop_pay'])
  })

  it('are refused in a wrapper with names, which are checked against all tools', () => {
    expect(() => createRegistry([approvalRequired(combine(...two().sources), ['shop_pay'])])).toThrow(
      'lists its tools asynchronously',
    )
  })

  it('follow the lists of their servers, and report a name that both have', async () => {
    const served = statelessServer([list], { listChanged: true })
    const registry = createRegistry([combine(connect(served.server).source, mailSource(statelessServer([]).server))])
    await registry.resolve('shop_*')
    served.tools = [list, pay]
    served.notify()
    await expect.poll(() => registry.names).toEqual(['shop_list', 'shop_pay'])
    const shops = combine(shop().source, shop().source)
    expect(() => createRegistry([shops])).toThrow('have the same name')
  })
})

const echo = defineTool({ name: 'echo', description: 'Echoes.', args: Type.Object({}), execute: () => 'echo' })
