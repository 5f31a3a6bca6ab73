/**
 * A server of the older era over standard input and output, without an SDK. Its configuration, which is the first argument as JSON, makes
 * it misbehave. Each line of its log is a request that it received.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * @typedef {object} Config
 * @property {string} [log] File for what it was asked.
 * @property {string} [list] File with its tools as JSON, read at each listing.
 * @property {string[]} [names] Its tools otherwise.
 * @property {object} [annotations] Those of all tools.
 * @property {'probe' | 'initialize' | 'list' | 'close'} [hang] Where it doesn't answer, or doesn't end.
 * @property {boolean} [diesOfProbe] Ends at a request before `initialize`.
 */
/** @type {Config} */
const config = JSON.parse(process.argv[2] ?? '{}')
const { log, list, names = [], annotations, hang, diesOfProbe } = config

note('start', process.pid)
if (hang === 'close') {
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {})
  setInterval(() => {}, 1_000)
}

createInterface({ input: process.stdin }).on('line', (line) => {
  /** @type {{ id?: number, method?: string, params?: Record<string, unknown>, result?: unknown }} */
  const message = JSON.parse(line)
  note(message.method ?? 'response', JSON.stringify(message.params?.name ?? message.result ?? message.params?.requestId ?? ''))
  if (message.method === undefined) return answered(message.result)
  if (message.id === undefined) return
  const { id, method, params = {} } = message
  switch (method) {
    case 'server/discover':
      if (diesOfProbe) process.exit(1)
      if (hang !== 'probe') fail(id, -32_601, 'Method not found')
      return
    case 'initialize':
      if (hang === 'initialize') return
      return reply(id, {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'older', version: '1.0.0' },
      })
    case 'tools/list':
      if (hang !== 'list') reply(id, { tools: listed() })
      return
    case 'tools/call':
      return call(id, params)
    default:
      return fail(id, -32_601, 'Method not found')
  }
})

/** @type {(result: unknown) => void} */
let answered = () => {}

/** @param {number} id @param {Record<string, any>} params */
function call(id, { name, arguments: args = {}, _meta = {} }) {
  const done = (/** @type {unknown} */ words) => reply(id, { content: [{ type: 'text', text: String(words) }] })
  switch (name) {
    case 'die':
      return process.exit(1)
    case 'die_once':
      if (!existsSync(`${log}.died`)) {
        writeFileSync(`${log}.died`, '')
        return process.exit(1)
      }
      return done('alive')
    case 'hang':
      return
    case 'big':
      return done('x'.repeat(args.size))
    case 'garbage':
      process.stdout.write('this is no message\n')
      return done('after garbage')
    case 'log':
      process.stdout.write('{"level":"info","msg":"called"}\n[1]\n'.repeat(2))
      return done('after a log')
    case 'malformed':
      return process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":5}\n`)
    case 'text_id':
      return process.stdout.write(`{"jsonrpc":"2.0","id":"${id}","result":{"content":[]}}\n`)
    case 'proto': {
      const data = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"a":1}'
      return process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${data}}}\n`)
    }
    case 'progress': {
      const token = JSON.stringify(_meta.progressToken)
      const updates = [1, 2, 3].map(
        (progress) =>
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${progress},"total":3}}\n`,
      )
      return process.stdout.write(`${updates.join('')}{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n`)
    }
    case 'last_words': {
      const update = {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: _meta.progressToken, progress: 1 },
      }
      const result = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'bye' }] } }
      const text = `${JSON.stringify(update)}\n${JSON.stringify(result)}\n`
      setTimeout(() => process.stdout.write(text, () => process.exit()), 100)
      return
    }
    case 'invalid_notification':
      process.stdout.write('{"jsonrpc":"2.0","method":"notifications/message","params":null}\n')
      return setTimeout(() => done('after a notification'), 100)
    case 'ask':
      answered = (result) => done(JSON.stringify(result))
      return send({ id: 900, method: 'elicitation/create', params: args })
    case 'ask_often': {
      const results = /** @type {any[]} */ ([])
      answered = (result) => results.push(result) === args.times && done(JSON.stringify(results.map((one) => one.action)))
      for (let id = 900; id < 900 + args.times; id++) send({ id, method: 'elicitation/create', params: args.question })
      return
    }
    case 'ask_later':
      answered = (result) => note('answered', JSON.stringify(result))
      setTimeout(() => send({ id: 900, method: 'elicitation/create', params: args }), 50)
      return done('called')
    case 'change':
      send({ method: 'notifications/tools/list_changed' })
      return done('changed')
    case 'environment':
      return done(JSON.stringify(process.env))
    default:
      return done(JSON.stringify(args))
  }
}

function listed() {
  if (list !== undefined && existsSync(list)) return JSON.parse(readFileSync(list, 'utf8'))
  return names.map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', additionalProperties: true },
    ...(annotations && { annotations }),
  }))
}

/** @param {number} id @param {unknown} result */
function reply(id, result) {
  send({ id, result })
}

/** @param {number} id @param {number} code @param {string} message */
function fail(id, code, message) {
  send({ id, error: { code, message } })
}

/** @param {object} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/** @param {unknown[]} words */
function note(...words) {
  if (log !== undefined) appendFileSync(log, `${words.join(' ')}\n`)
}
