import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createRestateEngine } from './create-engine.ts'

it.each([
  [{ name: '' }, 'name'],
  [{ name: 'a/b' }, 'name'],
  [{ name: 'a', fn: 1 }, 'fn'],
  [{ name: 'a', port: 0 }, 'port'],
  [{ name: 'a', uri: 'localhost:1' }, 'uri'],
  [{ name: 'a', adminUrl: 'ftp://a' }, 'adminUrl'],
  [{ name: 'a', retentionMs: Number.NaN }, 'retentionMs'],
  [{ name: 'a', maxCrashes: 2 }, 'maxCrashes'],
  [{ name: 'a', patienceMs: 2 ** 31 }, 'patienceMs'],
  [{ name: 'a', onProblem: 1 }, 'onProblem'],
  [{ name: 'a', headers: { 'a b': '1' } }, 'headers'],
])('createRestateEngine refuses the options %j', async (options, name) => {
  await expect(createRestateEngine(options as never)).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining(`"${name}"`),
  })
})

it.each([
  { ingressUrl: 'http://bob:secret@host' },
  { adminUrl: 'ftp://bob:secret@host' },
  { headers: { authorization: 'Bearer\nsecret' } },
])('createRestateEngine does not show a secret: %j', async (options) => {
  const opening = createRestateEngine({ name: 'a', patienceMs: 100, ...options })
  const error = await opening.catch((cause) => cause)
  expect(error).toMatchObject({ code: 'invalid_options' })
  expect(inspect(error)).not.toContain('secret')
})

it('sends its headers with each request', async () => {
  const received: (string | undefined)[] = []
  const server = createServer((request, response) => {
    received.push(request.headers.authorization)
    response.end('{"rows":[],"invocationId":"i","status":"Accepted"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const headers = { authorization: 'Bearer secret' }
  const engine = await createRestateEngine({ name: 'a', ingressUrl: url, adminUrl: url, headers })
  expect(await engine.status('r')).toBeUndefined()
  await engine.start('r', 1)
  await engine.close()
  server.close()
  expect(received).toEqual(Array.from({ length: received.length }, () => 'Bearer secret'))
  expect(received.length).toBeGreaterThan(3)
})

it('follows no redirect, which could send its headers to another host', async () => {
  const heard: unknown[] = []
  const other = createServer(({ headers }, response) => {
    heard.push(headers['x-api-key'])
    response.end('{"rows":[]}')
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const server = createServer((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const opening = createRestateEngine({
    name: 'a',
    ingressUrl: url,
    adminUrl: url,
    headers: { 'x-api-key': 'secret' },
    patienceMs: 5_000,
  })
  await expect(opening).rejects.toMatchObject({ code: 'engine_failed', message: expect.stringContaining('307') })
  server.close()
  other.close()
  expect(heard).toEqual([])
})

it('reports an unreachable server once and retries', async () => {
  let count = 0
  const server = createServer((_, response) => {
    response.statusCode = ++count % 4 === 0 ? 200 : 503
    response.end('{"rows":[]}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const problems: unknown[] = []
  const onProblem = (problem: unknown) => problems.push(problem)
  await using engine = await createRestateEngine({ name: 'a', ingressUrl: url, adminUrl: url, onProblem })
  problems.length = 0
  expect(await engine.list()).toEqual([])
  expect(problems).toMatchObject([{ code: 'engine_failed', message: expect.stringContaining('503') }])
  server.close()
})

it('finds a run that the tables of a starting server leave out, by asking the ingress', async () => {
  const asked: string[] = []
  const server = createServer(({ method, url = '' }, response) => {
    asked.push(`${method} ${url}`)
    if (url.endsWith('/output')) response.statusCode = url.includes('/known/') ? 470 : 404
    const rows = asked.includes('GET /restate/workflow/a/known/output') ? [{ id: 'i', status: 'suspended' }] : []
    response.end(JSON.stringify({ rows }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await using engine = await createRestateEngine({ name: 'a', ingressUrl: url, adminUrl: url })
  await expect(engine.cancel('missing')).rejects.toMatchObject({ code: 'unknown_run' })
  await engine.cancel('known')
  expect(asked.at(-1)).toBe('PATCH /invocations/i/kill')
  server.close()
})

it('list refuses an invalid limit', async () => {
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await using engine = await createRestateEngine({ name: 'a', ingressUrl: url, adminUrl: url })
  for (const limit of [-1, 0.5, Number.NaN])
    await expect(engine.list({ limit })).rejects.toMatchObject({ code: 'invalid_options' })
  server.close()
})

it('start resolves for an ended run whose journal the server has deleted', async () => {
  const server = createServer(async (request, response) => {
    const { query = '' } = JSON.parse((await text(request)) || '{}') as { query?: string }
    const rows = query.includes('sys_journal') ? [] : [{ id: 'i', status: 'completed' }]
    response.end(JSON.stringify({ rows, invocationId: 'i', status: 'PreviouslyAccepted' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await using engine = await createRestateEngine({ name: 'a', ingressUrl: url, adminUrl: url })
  await engine.start('b', 1)
})
