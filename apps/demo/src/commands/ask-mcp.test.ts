import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { scriptedLM } from '@x/lm/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { builtDemo } from '../../test/build.ts'
import { openaiServer } from '../../test/openai-server.ts'
import { QUICK, runHere, type StartOptions } from '../../test/program.ts'

const program = await builtDemo()
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'demo-mcp-')))
afterAll(() => rmSync(folder, { recursive: true }))

const OFFICIAL = '@modelcontextprotocol/server-filesystem'
const manifest = createRequire(import.meta.url).resolve(`${OFFICIAL}/package.json`)
const FILES = { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), `\${X_FOLDER:-${folder}}`] }

let configs = 0
function configOf(mcpServers: object): string {
  const file = join(folder, `mcp-${++configs}.json`)
  writeFileSync(file, JSON.stringify({ mcpServers }))
  return file
}

type Call = readonly [name: string, args: object]

/** Asks with a model that makes these calls, one per turn. */
async function ask(config: string, calls: readonly Call[], options: readonly string[] = [], settings: StartOptions = {}) {
  const script = calls.map(([name, args], index) => ({
    toolCalls: [{ id: `call_${index}`, name, arguments: JSON.stringify(args) }],
  }))
  const server = await openaiServer(scriptedLM([...script, { text: 'Done.' }]))
  const words = ['ask', 'Go', '--lm', 'openai:loopback', '--domain', 'memory', '--mcp', config, ...options]
  const result = await runHere(words, { ...settings, environment: { OPENAI_BASE_URL: server.url, ...settings.environment } })
  return {
    ...result,
    read:
      server.bodies
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join('\n') ?? '',
    server,
  }
}

describe('ask --mcp', () => {
  it('uses an official server beside the domains, and writes only after a yes', async () => {
    const config = configOf({ 'my-files': FILES })
    const file = join(folder, 'note.txt')
    const write: Call = ['my_files_write_file', { path: file, content: 'Call the dentist.' }]
    const refused = await ask(config, [write])
    expect(refused.code).toBe(1)
    expect(refused.out).toMatch(/refused {2}my_files_write_file [\s\S]*pass --yes/)
    expect(readdirSync(folder)).not.toContain('note.txt')

    const read: Call = ['my_files_read_text_file', { path: file }]
    const written = await ask(config, [write, ['memory_store', { key: 'note', value: file }], read], ['--yes'])
    expect([written.code, written.err]).toEqual([0, ''])
    expect(readFileSync(file, 'utf8')).toBe('Call the dentist.')

    const again = await ask(config, [read])
    expect(again.code).toBe(0)
    expect(again.out).toContain('answer   Done.')
    expect(again.read).toContain('Call the dentist.')
    const names = JSON.stringify(again.server.bodies[0]?.tools)
    expect(names).toContain('"memory_store"')
    expect(names).toContain('"my_files_write_file"')
  })

  it('uses the tools that the demo itself serves, with one yes for the call and one for the question of the server', async () => {
    const database = join(folder, 'served.sqlite')
    const args = [...QUICK, join(program, 'main.js'), 'serve-mcp', '--domain', 'ecommerce', '--db', database]
    const config = configOf({ shop: { command: process.execPath, args } })
    const add: Call = ['shop_add_to_cart', { product_id: 'KEY-502', quantity: 2 }]
    const look: Call = ['shop_view_cart', {}]
    const refused = await ask(config, [add, look])
    expect(refused.out).toMatch(/refused {2}shop_add_to_cart/)
    expect(refused.read).not.toContain('SlimType')
    const added = await ask(config, [add, look], ['--yes'])
    expect([added.code, added.err]).toEqual([0, ''])
    expect(added.out).toMatch(/asks {5}shop: .*KEY-502/)
    expect(added.read).toContain('SlimType')
  })

  it('lets the rules use a server, if they understand the request', async () => {
    writeFileSync(join(folder, 'list.txt'), 'Milk')
    const config = configOf({ disk: FILES })
    const { code, out } = await runHere(['ask', 'List allowed directories', '--domain', 'memory', '--mcp', config])
    expect([code, out]).toEqual([0, expect.stringContaining('disk_list_allowed_directories')])
  })

  it('reports a server that does not start, and an invalid file, in one line', async () => {
    const broken = await ask(configOf({ gone: { command: join(folder, 'missing') } }), [])
    expect([broken.code, broken.err.trimEnd().split('\n').length]).toEqual([1, 1])
    expect(broken.err).toContain('gone')
    const invalid = await ask(configOf({ both: { command: 'x', url: 'http://localhost' } }), [])
    expect([invalid.code, invalid.err]).toEqual([
      2,
      expect.stringMatching(/^--mcp: .*a server must have either a command or a url\.\n$/),
    ])
    const missing = await ask(join(folder, 'none.json'), [])
    expect([missing.code, missing.err]).toEqual([2, expect.stringMatching(/^--mcp: There is no file .*none\.json\.\n$/)])
  })
})
