import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtDemo } from '../test/build.ts'
import { ENDLESS_GRACE, programIn, runHere } from '../test/program.ts'

const program = await builtDemo()
const folder = mkdtempSync(join(tmpdir(), 'demo-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { start, run } = programIn(program)

describe('the program', () => {
  it('lists the tools of one domain and imports no other', async () => {
    const log = `import{register}from'node:module';register('data:text/javascript,'+encodeURIComponent(
      'export async function load(url,context,next){process._rawDebug(url);return next(url,context)}'))`
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(log)}`]
    const { code, out, err } = await run(['tools', '--domain', 'memory'], { flags })
    expect(code).toBe(0)
    expect(out).toContain('memory_store  Store a value under a key')
    expect(out).toContain('    key: string, required. Name of the entry')
    expect(err).toMatch(/\/memory-\w+\.js/)
    expect(err).not.toMatch(/ecommerce|treasure-hunt|give-hint|sqlite|ajv|\/pg\//)
  })

  it('answers an invalid command line with one line and the code 2', async () => {
    expect(await run(['aks', 'hello'])).toEqual({ code: 2, out: '', err: 'Unknown command "aks". Did you mean "ask"?\n' })
    const { code, out } = await run(['--help'])
    expect([code, out]).toEqual([0, expect.stringContaining('npm run demo -- ask "<request>"')])
  })

  it('searches the tools of a file, and reports a missing file first', async () => {
    const file = join(folder, 'tools.json')
    writeFileSync(file, JSON.stringify([{ name: 'get.tide', description: 'The tide at a harbour' }]))
    const { code, out } = await runHere(['search', 'When is the tide high?', '--tools', file])
    expect(code).toBe(0)
    expect(out).toMatch(/^Model: searcher[\s\S]*answer {3}These tools fit: get_tide\.[\s\S]*loaded {3}1 of 1$/m)
    // The built program has no corpora beside it, whatever is beside the project.
    const own = await run(['search', 'Provide me with climate data for the region of Europe'])
    expect(own.code).toBe(0)
    expect(own.out).toMatch(/^Model: searcher.*\nTools: the demo's own list\.[\s\S]*answer {3}These tools fit: get_climate_data/)
    const missing = await runHere(['search', 'anything'], { environment: { X_CORPORA: folder } })
    expect([missing.code, missing.out]).toEqual([2, ''])
    expect(missing.err).toMatch(/^There are no tools to search: .*Set X_CORPORA .*\n$/)
  })

  it('explains in one line why a database cannot be opened, and opens it only for a tool that needs it', async () => {
    const { code, out, err } = await runHere(['ask', 'View my cart', '--db', folder])
    expect([code, err]).toEqual([1, `Cannot open the database ${folder}: it is a directory.\n`])
    expect(out).not.toContain('answer')
    const { code: other, out: without } = await runHere(['ask', 'Give me a hint about the treasure', '--db', folder])
    expect(other).toBe(0)
    expect(without).not.toContain('Database:')
  })

  it('checks the address of a model before any output', async () => {
    const words = ['ask', 'hello', '--lm', 'openai:any']
    const { code, out, err } = await runHere(words, { environment: { OPENAI_BASE_URL: 'localhost:8080' } })
    expect([code, out]).toEqual([2, ''])
    expect(err).toBe('OPENAI_BASE_URL must be an HTTP URL, e.g. http://localhost:8080/v1. It is "localhost:8080".\n')
  })

  it('keeps a conversation until /new', async () => {
    const input = 'Remember that my favorite tea is Blue Lotus\n\n/help\n/new\nWhat is my favorite tea?\n/exit\nList all keys\n'
    const { code, out } = await runHere(['chat', '--domain', 'memory', '--yes'], { input })
    expect(code).toBe(0)
    expect(out).toMatch(/^> Remember that[\s\S]*call {5}memory_store[\s\S]*^> What is my[\s\S]*answer.*Blue Lotus/m)
    expect(out.match(/\/exit ends/g)).toHaveLength(1)
    expect(out).toMatch(/^Memory\n {2}Remember that my favorite tea is Blue Lotus$/m)
    expect(out).not.toContain('List all keys')
  })

  it('changes nothing without a terminal to ask in, and says how to allow it', async () => {
    const file = join(folder, 'asked', 'demo.sqlite')
    const add = ['ask', 'Add 2 of product KEY-502 to my cart', '--db', file]
    const refused = await runHere(add)
    expect(refused.code).toBe(1)
    expect(refused.out).toMatch(/refused {2}add_to_cart [\s\S]*pass --yes/)
    expect((await runHere(['ask', 'View my cart', '--db', file])).out).not.toContain('SlimType')
    expect((await runHere([...add, '--yes'])).code).toBe(0)
    expect((await runHere(['ask', 'View my cart', '--db', file])).out).toContain('SlimType')
    const pay = 'Pay 86.40 dollars to Northwind Energy out of checking\n'
    const { out } = await runHere(['chat', '--domain', 'finance', '--db', ':memory:'], { input: `${pay}y\n${pay}` })
    expect(out.match(/refused {2}pay_bill/g)).toHaveLength(2)
  })

  it('names the rules as its model if there is no other, and why', async () => {
    const { out } = await runHere(['ask', 'Give me a hint about the treasure'])
    expect(out).toMatch(/^Model: rules, not a model; for a model, pass --lm, set a provider's key or start Ollama\n/)
    expect((await runHere(['ask', 'Give me a hint about the treasure', '--lm', 'rules'])).out).toMatch(
      /^Model: rules, not a model\n/,
    )
  })

  it('says what it can do without a model, and suggests three requests when it cannot serve one', async () => {
    const abilities = await runHere(['ask', 'What can you do?'])
    expect(abilities.code).toBe(0)
    expect(abilities.out).toMatch(/^Treasure hunt\n {2}Give me a hint/)
    expect(abilities.out).not.toContain('Model')
    const { out } = await runHere(['ask', 'Please draw a picture of a sleeping cat'])
    expect(out).toMatch(/answer [\s\S]*\n {2}try {6}\S.*\n {11}\S.*\n {11}\S.*\n {2}[\d.]+ m?s/)
  })

  it('keeps input lines that arrive before the database is open', async () => {
    const input = 'Add product LAP-102 to my cart\nView my cart\n'
    const file = join(folder, 'chat', 'demo.sqlite')
    const { code, out } = await runHere(['chat', '--domain', 'ecommerce', '--db', file, '--user', 'ada', '--yes'], { input })
    expect(code).toBe(0)
    expect(out).toMatch(/add_to_cart[\s\S]*view_cart[\s\S]*answer.*StudyMate 14/)
    expect(out.trimEnd().split('\n').at(-1)).toBe(`Database: ${file}`)
  })

  it('evaluates, and prints only JSON with --json', async () => {
    const { code, out, err } = await runHere(['eval', '--domain', 'productivity', '--json', '--at-least', '0'])
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toMatchObject({ model: expect.stringContaining('rules, not a model'), enough: true })
    const { code: tooFew } = await runHere(['eval', '--domain', 'productivity', '--lm', 'openai:none'], {
      environment: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
    })
    expect(tooFew).toBe(1)
  })

  it('reports an invalid DATABASE_URL before it does anything', async () => {
    const environment = { DATABASE_URL: 'mysql://localhost/demo' }
    const { code, err } = await runHere(['ask', 'View my cart'], { environment })
    expect([code, err]).toEqual([2, expect.stringMatching(/^DATABASE_URL must be the URL of a PostgreSQL database, .*\n$/)])
    const refused = await runHere(['ask', 'View my cart'], {
      environment: { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/shop' },
    })
    expect([refused.code, refused.err]).toEqual([1, 'Cannot use the database shop at 127.0.0.1:1: the connection was refused.\n'])
  })

  it('removes control characters of the command line from its output', async () => {
    expect((await run(['\u001b[2J\u0007x'])).err).toMatch(/^Unknown command "x"\./)
  })

  it('reports a missing module of a lazy tool in four sections, without a stack', async () => {
    const broken = join(folder, 'broken')
    cpSync(program, broken, { recursive: true })
    symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(broken, 'node_modules'), 'junction')
    for (const file of readdirSync(broken)) if (file.startsWith('give-hint')) rmSync(join(broken, file))
    const { code, err } = await run(['ask', 'Give me a hint', '--domain', 'treasure_hunt'], { from: broken })
    expect(code).toBe(1)
    expect(err).toMatch(/^❌ Tool failed to load: give_hint \(agent "treasure_hunt"\)[\s\S]*📂[\s\S]*💡[\s\S]*🔧/)
    expect(err).not.toMatch(/^\s+at /m)
  })

  it('names host and cause of a model that cannot be reached, in one line', async () => {
    const server = createServer()
    // This is the port of a client: no server listens on it, and none can while it is taken.
    const client = connect(await listen(server), '127.0.0.1')
    await once(client, 'connect')
    const port = client.localPort
    try {
      const environment = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` }
      const words = ['--lm', 'openai:any', '--domain', 'memory']
      // Both are started at once, because each waits before it retries.
      const [{ code, err }, chat] = await Promise.all([
        runHere(['ask', 'hello', ...words], { environment }),
        runHere(['chat', ...words], { environment, input: 'hello\n\nhello\n' }),
      ])
      expect(code).toBe(1)
      expect([chat.code, chat.out.match(/ECONNREFUSED/g)?.length]).toEqual([1, 2])
      expect(err).toMatch(new RegExp(`^[^\\n]*127\\.0\\.0\\.1:${port}[^\\n]*ECONNREFUSED[^\\n]*\\n$`))
    } finally {
      client.destroy()
      server.close()
    }
  })
})

describe('a program that is stopped while it uses the shop', () => {
  let server: Server
  let environment: NodeJS.ProcessEnv

  // The model puts a laptop into the cart, then never answers again.
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (text) => {
        body += text
      })
      request.on('end', () => {
        if (!body.includes('"role":"tool"')) response.setHeader('content-type', 'application/json').end(ADD_TO_CART)
      })
    })
    environment = { OPENAI_BASE_URL: `http://127.0.0.1:${await listen(server)}/v1` }
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function stopAfterFirstCall(file: string, signal: NodeJS.Signals) {
    const words = ['ask', 'Add a laptop to my cart', '--lm', 'openai:any', '--domain', 'ecommerce', '--db', file]
    const { child, output, written } = start(words, { environment: { ...environment, ...ENDLESS_GRACE } })
    await written('result')
    child.kill(signal)
    const [code] = await once(child, 'close')
    return { code, err: output.err }
  }

  const readCart = (file: string) => runHere(['ask', 'View my cart', '--domain', 'ecommerce', '--db', file])

  it('ends with the code 130 while its model has not answered, and leaves the database closed and readable', async () => {
    const file = join(folder, 'stopped', 'shop.sqlite')
    const { code, err } = await stopAfterFirstCall(file, 'SIGINT')
    expect([code, err]).toEqual([130, 'Stopped.\n'])
    expect(readdirSync(join(folder, 'stopped'))).toEqual(['shop.sqlite'])
    expect((await readCart(file)).out).toContain('AeroBook 13')
  })

  it('leaves a database that opens again when it was killed', async () => {
    const file = join(folder, 'killed', 'shop.sqlite')
    await stopAfterFirstCall(file, 'SIGKILL')
    expect(existsSync(`${file}.owner`)).toBe(true)
    const { code, out } = await readCart(file)
    expect([code, out.includes('AeroBook 13')]).toEqual([0, true])
    expect(out).toContain(`Database: ${file}`)
  })
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const ADD_TO_CART = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: 'any',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'add_to_cart', arguments: '{"product_id":"LAP-101"}' } },
        ],
      },
    },
  ],
})
