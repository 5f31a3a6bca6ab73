import { createHash, createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendJson, serve } from '../../test/server.ts'
import { type BedrockOptions, bedrock } from './index.ts'

const NAMES = ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

// The result must not depend on the environment of the tests.
beforeEach(() => {
  for (const name of [...NAMES, 'AWS_SESSION_TOKEN']) vi.stubEnv(name, '')
})
afterEach(() => void vi.unstubAllEnvs())

const model = 'anthropic.claude-v2:0'
const request = { messages: [{ role: 'user', content: 'Grüße!' }] } as const
const hello = { output: { message: { role: 'assistant', content: [{ text: 'Hello.' }] } }, stopReason: 'end_turn' }
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret-of-example' }

async function ask(options: Partial<BedrockOptions>) {
  const server = await serve((reply) => sendJson(reply, hello))
  const lm = bedrock({ model, baseURL: server.baseURL.replace('/v1', ''), region: 'eu-west-1', ...options })
  expect((await lm.generate(request)).text).toBe('Hello.')
  const [received] = server.received
  if (received === undefined) throw new Error('Nothing was sent.')
  return { ...received, host: server.host, sent: JSON.stringify(lm.wire.encode(request, model)) }
}

/** An independent implementation of Signature Version 4. */
function signatureOf({ path, headers, host, sent }: Awaited<ReturnType<typeof ask>>, secret: string): string {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const time = String(headers['x-amz-date'])
  const names = /SignedHeaders=([^,]+)/.exec(String(headers.authorization))?.[1]?.split(';') ?? []
  const lines = names.map((name) => `${name}:${name === 'host' ? host : headers[name]}\n`)
  const canonicalPath = String(path).split('/').map(encodeURIComponent).join('/')
  const canonical = ['POST', canonicalPath, '', lines.join(''), names.join(';'), sha256(sent)].join('\n')
  const scope = [time.slice(0, 8), 'eu-west-1', 'bedrock', 'aws4_request']
  const key = scope.reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`)
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n')).toString('hex')
}

describe('bedrock', () => {
  it('signs with AWS credentials', async () => {
    const received = await ask({ credentials: { ...credentials, sessionToken: 'session' } })
    expect(received.path).toBe('/model/anthropic.claude-v2%3A0/converse')
    expect(received.headers['x-amz-security-token']).toBe('session')
    const { authorization } = received.headers
    expect(authorization).toContain('Credential=AKIDEXAMPLE/')
    expect(authorization).toContain(`Signature=${signatureOf(received, credentials.secretAccessKey)}`)
  })

  it('calls a credentials function before each request', async () => {
    const received = await ask({ credentials: async () => credentials })
    expect(received.headers.authorization).toContain(`Signature=${signatureOf(received, credentials.secretAccessKey)}`)
  })

  it('reads credentials from the environment', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDOTHER')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'other-secret')
    expect((await ask({})).headers.authorization).toContain('Credential=AKIDOTHER/')
  })

  it('sends a Bedrock key as a bearer token, from the caller or the environment', async () => {
    vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', 'bedrock-key')
    expect((await ask({})).headers.authorization).toBe('Bearer bedrock-key')
    expect((await ask({ apiKey: 'own-key' })).headers.authorization).toBe('Bearer own-key')
    expect((await ask({ credentials })).headers.authorization).toContain('Credential=AKIDEXAMPLE/')
  })

  it('sends requests to the host of its region', async () => {
    vi.stubEnv('AWS_REGION', 'us-east-2')
    let asked = ''
    const fetch = async (url: unknown) => {
      asked = String(url)
      return Response.json(hello)
    }
    await bedrock({ model, fetch, apiKey: 'bedrock-key' }).generate(request)
    expect(asked).toBe('https://bedrock-runtime.us-east-2.amazonaws.com/model/anthropic.claude-v2%3A0/converse')
  })

  it('needs no region for a key with a baseURL, but needs one to sign', async () => {
    expect((await ask({ region: undefined, apiKey: 'own-key' })).headers.authorization).toBe('Bearer own-key')
    expect(() => bedrock({ model, baseURL: 'http://host.test', credentials })).toThrow('bedrock needs a region.')
  })

  it('throws at creation without a region or a key, and says what to set', () => {
    expect(() => bedrock({ model })).toThrow('bedrock needs a region. Set AWS_REGION or AWS_DEFAULT_REGION in the environment')
    const words = 'bedrock needs a key. Set AWS_BEARER_TOKEN_BEDROCK or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
    expect(() => bedrock({ model, region: 'eu-west-1' })).toThrow(words)
  })
})
