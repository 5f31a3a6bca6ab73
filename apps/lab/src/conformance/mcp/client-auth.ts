/** An OAuth provider that follows the redirect immediately, like a user with a browser would. */
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client'

const REDIRECT_URL = 'http://localhost:3000/callback'

export class ConformanceAuth implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URL
  readonly clientMetadata: OAuthClientMetadata = { client_name: 'conformance', redirect_uris: [REDIRECT_URL] }
  /** The address at which the suite serves the client's metadata document. */
  readonly clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #discovery: OAuthDiscoveryState | undefined
  #verifier = ''
  #callback: URLSearchParams | undefined

  /** `client_id` and `client_secret` are those of a client that is already registered. */
  constructor({ client_id, client_secret }: { readonly client_id?: string; readonly client_secret?: string }) {
    if (client_id !== undefined) this.#client = { client_id, ...(client_secret !== undefined && { client_secret }) }
  }

  /** Returns the parameters of the last callback, and removes them. */
  takeCallback(): URLSearchParams | undefined {
    const callback = this.#callback
    this.#callback = undefined
    return callback
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client
  }

  tokens(): OAuthTokens | undefined {
    return this.#tokens
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens
    // Discovery must run again, so that a move to another authorization server is noticed.
    this.#discovery = undefined
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  async redirectToAuthorization(address: URL): Promise<void> {
    const response = await fetch(address, { redirect: 'manual' })
    const location = response.headers.get('location')
    if (location === null) throw new Error(`no redirect from ${address.origin}`)
    this.#callback = new URL(location).searchParams
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'client') this.#client = undefined
    if (scope === 'all' || scope === 'tokens') this.#tokens = undefined
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined
  }
}
