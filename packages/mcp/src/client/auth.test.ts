import { describe, expect, it, vi } from 'vitest'
import { connect, failure } from '../../test/calls.ts'
import { olderHttpServer, TOOL, working } from '../../test/http-server.ts'

const TOKEN = 'secret-token-1234567890'

/** Starts a server that repeats the credentials in its error. */
async function guarded(isAllowed: (authorization: string | undefined, method: string) => boolean) {
  const answers = working([TOOL])
  return olderHttpServer((exchange) => {
    const { authorization } = exchange.request.headers
    if (isAllowed(authorization, exchange.message.method)) return answers(exchange)
    exchange.refuse(401, `unknown credentials: ${authorization}`)
  })
}

/** Returns everything that a log of the error could contain. */
function textOf(error: unknown): string {
  const { message, cause, stack } = error as Error
  return [message, stack, cause === undefined ? '' : textOf(cause), JSON.stringify(error)].join('\n')
}

describe('authorization', () => {
  it('by a header', async () => {
    const { url } = await guarded((authorization) => authorization === `Bearer ${TOKEN}`)
    const { call } = connect({ url, headers: { authorization: `Bearer ${TOKEN}` } })
    expect((await call('shop_get')).ok).toBe(true)
  })

  it('with a token from a provider, which is asked for each request', async () => {
    const { url } = await guarded((authorization) => authorization === `Bearer ${TOKEN}`)
    const token = vi.fn(async () => TOKEN)
    const { call } = connect({ url, auth: { token } })
    expect((await call('shop_get')).ok).toBe(true)
    expect(token.mock.calls.length).toBeGreaterThan(3)
  })

  it.each([
    ['a header', { headers: { authorization: `Bearer ${TOKEN}` } }],
    ['a provider', { auth: { token: async () => TOKEN } }],
  ])('that fails reports the fix without the token of %s', async (_what, given) => {
    const { url } = await guarded(() => false)
    const error = await connect({ url, ...given })
      .source.open()
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('finishAuth') })
    expect(textOf(error)).not.toContain('secret-token')
  })

  it('that ends during a call fails the call without the token', async () => {
    const { url } = await guarded((_, method) => method !== 'tools/call')
    const failed = failure(await connect({ url, headers: { authorization: `Bearer ${TOKEN}` } }).call('shop_get'))
    expect(failed).toMatchObject({ reason: 'not_authorized' })
    expect(textOf(failed)).not.toContain('secret-token')
  })

  it('in an error with another status is removed', async () => {
    const answers = working([TOOL])
    const { url } = await olderHttpServer((exchange) =>
      exchange.message.method === 'tools/call'
        ? exchange.refuse(422, `not with ${exchange.request.headers.authorization}`)
        : answers(exchange),
    )
    const failed = failure(await connect({ url, headers: { authorization: `Bearer ${TOKEN}` } }).call('shop_get'))
    expect(failed).toMatchObject({ reason: 'call_refused', message: expect.stringContaining('[redacted]') })
    expect(textOf(failed)).not.toContain('secret-token')
  })

  it('in the url is removed from errors, and a long page is shortened', async () => {
    const { url } = await olderHttpServer((exchange) => exchange.refuse(422, `${exchange.request.url} ${'x'.repeat(100_000)}`))
    const error = await connect({ url: `${url}?key=${TOKEN}` })
      .source.open()
      .catch((thrown: unknown) => thrown)
    expect((error as Error).message.length).toBeLessThan(1_500)
    expect(textOf(error)).not.toContain('secret-token')
  })

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://127.1:9/',
    'http://localhost/',
    'https://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://192.168.0.1/',
    'http://172.31.0.1/',
    'http://192.0.0.192/opc/v1/instance/',
    'http://198.18.0.1/',
    'http://[fec0::1]/',
    'http://metadata.google.internal/',
  ])('metadata of a public server that points at %s is not followed', async (inside) => {
    const hosts = new Set<string>()
    const send: typeof fetch = async (input) => {
      const { hostname, pathname } = new URL(String(input))
      hosts.add(hostname)
      if (pathname.startsWith('/.well-known/oauth-protected-resource'))
        return Response.json({ resource: 'https://shop.example/mcp', authorization_servers: [inside] })
      return new Response('', { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${inside}"` } })
    }
    for (const metadata of [inside, 'https://shop.example/.well-known/oauth-protected-resource']) {
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const response = await send(input, init)
        if (response.status === 401) response.headers.set('www-authenticate', `Bearer resource_metadata="${metadata}"`)
        return response
      }
      const auth = {
        redirectUrl: 'http://localhost/callback',
        clientMetadata: { redirect_uris: ['http://localhost/callback'] },
        clientInformation: () => ({ client_id: 'client' }),
        tokens: () => undefined,
        saveTokens() {},
        redirectToAuthorization() {},
        saveCodeVerifier() {},
        codeVerifier: () => '',
      }
      const { source } = connect({ url: 'https://shop.example/mcp', auth, fetch })
      await expect(source.open()).rejects.toMatchObject({ name: 'McpError', code: 'unauthorized' })
    }
    expect([...hosts]).toEqual(['shop.example'])
  })

  it('by a redirect is finished with the parameters of the callback', async () => {
    const { url, requests } = await guarded((authorization) => authorization === `Bearer ${TOKEN}`)
    const { origin } = new URL(url)
    const tokens = { access_token: TOKEN, token_type: 'Bearer' }
    let saved: typeof tokens | undefined
    let redirect: URL | undefined
    const metadata = {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    }
    const send: typeof fetch = async (input, init) => {
      const { pathname } = new URL(String(input))
      if (pathname.startsWith('/.well-known/oauth-protected-resource'))
        return Response.json({ resource: url, authorization_servers: [origin] })
      if (pathname.startsWith('/.well-known/oauth-authorization-server')) return Response.json(metadata)
      if (pathname === '/token') return Response.json(tokens)
      return fetch(input, init)
    }
    let verifier = ''
    let discovered: unknown
    const auth = {
      redirectUrl: 'http://localhost/callback',
      clientMetadata: { redirect_uris: ['http://localhost/callback'] },
      clientInformation: () => ({ client_id: 'client' }),
      tokens: () => saved,
      saveTokens(given: typeof tokens) {
        saved = given
      },
      redirectToAuthorization(address: URL) {
        redirect = address
      },
      saveCodeVerifier(given: string) {
        verifier = given
      },
      codeVerifier: () => verifier,
      discoveryState: () => discovered,
      saveDiscoveryState(given: unknown) {
        discovered = given
      },
    }
    const { source, call } = connect({ url, auth, fetch: send })
    await expect(source.open()).rejects.toMatchObject({ code: 'unauthorized' })
    expect(redirect?.pathname).toBe('/authorize')
    const wrong = await source.finishAuth('error=access_denied').catch((thrown: unknown) => thrown)
    expect(wrong).toMatchObject({ name: 'McpError', code: 'unauthorized' })
    await source.finishAuth(`/callback?code=abc&iss=${encodeURIComponent(origin)}#_=_`)
    expect((await call('shop_get')).ok).toBe(true)
    expect(requests).toContain('tools/call')
  })
})
