import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mcp } from '../client/mcp.ts'
import { readMcpConfig } from './read-config.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns a reference to a variable as it is written in a file. */
function variable(name: string): string {
  return `\${${name}}`
}

function fileWith(content: unknown): string {
  const file = join(folder, 'mcp.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

describe('a configuration file', () => {
  it('lists servers in order, with names that mcp() accepts', async () => {
    const file = fileWith({
      mcpServers: {
        'file-system': { command: 'npx', args: ['-y', 'server'], env: { DEBUG: '1' }, cwd: '/tmp', extra: true },
        old: { command: 'old', disabled: true },
        remote: { type: 'http', url: 'https://example.com/mcp', headers: { 'x-a': 'b' } },
      },
    })
    const servers = await readMcpConfig(file)
    expect(servers).toEqual([
      {
        name: 'file_system',
        configName: 'file-system',
        server: { command: 'npx', args: ['-y', 'server'], env: { DEBUG: '1' }, cwd: '/tmp' },
      },
      { name: 'remote', configName: 'remote', server: { url: 'https://example.com/mcp', headers: { 'x-a': 'b' } } },
    ])
    expect(servers.map(({ name, server }) => mcp(name, server).name)).toEqual(['file_system', 'remote'])
  })

  it('expands listed variables, once', async () => {
    const file = fileWith({
      mcpServers: {
        a: {
          url: `${variable('HOST:-http://localhost')}/mcp`,
          headers: { authorization: `Bearer ${variable('TOKEN')}`, x: '$TOKEN {TOKEN}' },
        },
      },
    })
    const env = { TOKEN: `abc${variable('SECRET')}`, SECRET: 'no' }
    expect(await readMcpConfig(file, { variables: ['TOKEN', 'HOST'], env })).toMatchObject([
      {
        server: {
          url: 'http://localhost/mcp',
          headers: { authorization: `Bearer abc${variable('SECRET')}`, x: '$TOKEN {TOKEN}' },
        },
      },
    ])
  })

  it.each<[string, unknown, string]>([
    ['a variable that is not listed', { a: { command: `${variable('HOME')}/x` } }, "pass variables: ['HOME']"],
    ['a variable that is not set', { a: { command: variable('GIVEN') } }, "the variable GIVEN isn't set"],
    ['neither a command nor a url', { a: {} }, 'either a command or a url'],
    ['both', { a: { command: 'a', url: 'http://a' } }, 'either a command or a url'],
    ['args of another type', { a: { command: 'a', args: 'b' } }, 'args must be a list of strings'],
    ['env of another type', { a: { command: 'a', env: { b: 1 } } }, 'env and headers objects of strings'],
    ['a long name', { ['a'.repeat(40)]: { command: 'a' } }, 'more than 32 characters'],
    ['no servers', undefined, 'mcpServers must be an object'],
  ])('is refused with %s', async (_what, mcpServers, words) => {
    const reading = readMcpConfig(fileWith({ mcpServers }), { variables: ['GIVEN'], env: {} })
    await expect(reading).rejects.toMatchObject({ code: 'invalid_config', message: expect.stringContaining(words) })
  })

  it('is refused if it is not JSON, or missing', async () => {
    await expect(readMcpConfig(fileWith('{'))).rejects.toMatchObject({ code: 'invalid_config' })
    await expect(readMcpConfig(join(folder, 'none.json'))).rejects.toMatchObject({ code: 'invalid_config' })
  })
})
