/**
 * A scripted agent uses the official MCP servers, which are of the older era, and a server of the stateless era that was made with the
 * official SDK.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineSignature, type Message } from '@x/adapters'
import { anthropicMessages, gemini, openaiResponses } from '@x/adapters/wire'
import { scriptedLM } from '@x/lm/testing'
import { type McpServer, mcp } from '@x/mcp'
import { createReactAgent } from '@x/react-agent'
import { Type } from 'typebox'
import { afterAll, describe, expect, it } from 'vitest'
import { programOf } from '../../definitions/mcp-servers.ts'
import { freePorts } from '../../restate.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-official-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true })
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const signature = defineSignature({
  instructions: 'Use the tools.',
  inputs: { task: Type.String() },
  outputs: { answer: Type.String() },
})

type Call = readonly [name: string, args: object]

/** Runs an agent that makes the calls, one per step. Returns the messages that the model read. */
async function run(server: McpServer, calls: readonly Call[]): Promise<readonly Message[]> {
  const script = calls.map(([name, args], index) => ({
    toolCalls: [{ id: `call_${index}`, name: `s_${name}`, arguments: JSON.stringify(args) }],
  }))
  const agent = await createReactAgent({
    lm: scriptedLM([...script, { text: 'Done.' }]),
    tools: [mcp('s', server, { connectTimeoutMs: 600_000, elicit: () => ({ action: 'accept', content: { name: 'Ada' } }) })],
    signature,
  })
  try {
    const { trajectory } = await agent.run({ task: 'Go.' })
    return trajectory.messages.filter(({ role }) => role === 'tool')
  } finally {
    await agent.close()
  }
}

function official(name: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): McpServer {
  return { command: process.execPath, args: [programOf(`@modelcontextprotocol/server-${name}`), ...args], env, cwd: folder }
}

const EVERYTHING: readonly Call[] = [
  ['echo', { message: 'Hello' }],
  ['get_sum', { a: 2, b: 3 }],
  ['get_tiny_image', {}],
  ['get_structured_content', { location: 'New York' }],
  ['get_resource_links', { count: 2 }],
  ['get_resource_reference', { resourceType: 'Blob', resourceId: 1 }],
  ['trigger_long_running_operation', { duration: 0.1, steps: 2 }],
  ['get_annotated_message', { messageType: 'success', includeImage: true }],
  ['trigger_elicitation_request', {}],
  ['simulate_research_query', { topic: 'tea' }],
]

function assertEverything(read: readonly Message[]): void {
  const words = read.map(({ content }) => content)
  expect(words[0]).toContain('Hello')
  expect(words[1]).toContain('5')
  expect(words[2]).toContain('[image/png]')
  expect(words[3]).toMatch(/^\{.*"temperature"/)
  expect(words[4]).toContain('Link to a resource')
  expect(words[6]).toContain('completed')
  expect(words[7]).toContain('[image/png]')
  expect(words[8]).toContain('Ada')
  // This tool needs tasks, which are an MCP extension that we don't support.
  expect(words[9]).toMatch(/^Error: /)
  const images = read
    .flatMap((message) => ('parts' in message ? (message.parts ?? []) : []))
    .filter(({ type }) => type === 'image')
  expect(images).toHaveLength(2)
}

describe('an agent', () => {
  it('uses the server "everything" over standard input and output', async () => {
    assertEverything(await run(official('everything'), EVERYTHING))
  })

  it('uses the server "everything" over HTTP', async () => {
    const [port] = await freePorts(1)
    const program = programOf('@modelcontextprotocol/server-everything')
    const child = spawn(process.execPath, [program, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    children.push(child)
    await new Promise<void>((resolve, reject) => {
      child.on('exit', () => reject(new Error('the server ended')))
      child.stderr.on('data', (piece) => String(piece).includes('listening') && resolve())
    })
    assertEverything(await run({ url: `http://127.0.0.1:${port}/mcp` }, EVERYTHING))
  })

  it('uses the server "filesystem"', async () => {
    writeFileSync(join(folder, 'dot.png'), PNG)
    const read = await run(official('filesystem', [folder]), [
      ['write_file', { path: join(folder, 'note.txt'), content: 'A note.' }],
      ['read_text_file', { path: join(folder, 'note.txt') }],
      ['list_directory', { path: folder }],
      ['read_media_file', { path: join(folder, 'dot.png') }],
      ['read_text_file', { path: '/etc/hostname' }],
    ])
    expect(readFileSync(join(folder, 'note.txt'), 'utf8')).toBe('A note.')
    expect(read[1]?.content).toBe('A note.')
    expect(read[2]?.content).toContain('[FILE] dot.png')
    expect(read[3]).toMatchObject({
      parts: [{ type: 'image', mediaType: 'image/png', source: { base64: PNG.toString('base64') } }],
    })
    // The bytes must not be repeated as text.
    expect(read[3]?.content).not.toContain(PNG.toString('base64'))
    expect(read[4]?.content).toMatch(/^Error: .*denied/)
  })

  it('uses the server "memory"', async () => {
    const env = { MEMORY_FILE_PATH: join(folder, 'memory.json') }
    const read = await run(official('memory', [], env), [
      ['create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }] }],
      ['search_nodes', { query: 'tea' }],
    ])
    expect(read[1]?.content).toContain('likes tea')
  })

  it('uses the server "sequential-thinking"', async () => {
    const thought = { thought: 'First.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
    const [read] = await run(official('sequential-thinking'), [['sequentialthinking', thought]])
    expect(JSON.parse(read?.content ?? '')).toMatchObject({ thoughtNumber: 1 })
  })

  it('uses a server of the stateless era, and its images are images on three wires', async () => {
    const program = join(import.meta.dirname, '../../../test/mcp/stateless-program.mjs')
    const read = await run({ command: process.execPath, args: [program] }, [
      ['draw', { what: 'a dot' }],
      ['measure', {}],
    ])
    expect(read[1]?.content).toBe('{"width":1}')
    const [drawn] = read
    const call = { id: 'call_0', name: 's_draw', arguments: '{}' }
    const messages: readonly Message[] = [
      { role: 'user', content: 'Draw.' },
      { role: 'assistant', content: '', toolCalls: [call] },
      ...(drawn === undefined ? [] : [drawn]),
    ]
    for (const wire of [anthropicMessages, openaiResponses, gemini]) {
      const body = JSON.stringify(wire.encode({ messages }, 'model'))
      expect(body).toContain(PNG.toString('base64'))
      expect(body).toMatch(/"(?:image|input_image|inlineData)"/)
    }
  })
})
