/** Tells whether a request is waiting for a connection to be made, which `fetch` keeps to itself. */

/** What Node's `fetch` says of itself, for diagnostics: https://undici.nodejs.org/#/docs/api/DiagnosticsChannel */
const CREATED = 'undici:request:create'
const CONNECTING = 'undici:client:beforeConnect'
const CONNECTED = 'undici:client:connected'
const SENT = 'undici:client:sendHeaders'

/** A connection to this host is being made, and may become the request's own; or not, or no more. */
export type OnConnecting = (isConnecting: boolean) => void

/**
 * Calls `send`, which calls `fetch`: a request is made at once, so the one of that moment is ours. A request that only waits for one
 * of few connections, as some dispatchers have it, is not connecting. Nothing is told in another runtime, or by a `fetch` of the
 * caller's own. To be stopped in the end.
 */
export function watchConnection<T>(host: string, send: () => T, onConnecting: OnConnecting): readonly [T, () => void] {
  const channels = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')
  if (channels === undefined) return [send(), () => {}]
  let ours: unknown
  const onCreated = (message: Message) => {
    ours ??= message.request
  }
  const listeners = {
    [CONNECTING]: ({ connectParams }: Message) => connectParams?.host === host && onConnecting(true),
    [CONNECTED]: ({ connectParams }: Message) => connectParams?.host === host && onConnecting(false),
    [SENT]: ({ request }: Message) => request === ours && stop(),
  }
  const entries = Object.entries(listeners) as unknown as [string, (message: unknown) => void][]
  const stop = () => {
    for (const [name, listener] of entries) channels.unsubscribe(name, listener)
    onConnecting(false)
  }
  channels.subscribe(CREATED, onCreated as (message: unknown) => void)
  try {
    const sending = send()
    if (ours === undefined) return [sending, () => {}]
    for (const [name, listener] of entries) channels.subscribe(name, listener)
    return [sending, stop]
  } finally {
    channels.unsubscribe(CREATED, onCreated as (message: unknown) => void)
  }
}

interface Message {
  readonly request?: unknown
  readonly connectParams?: { readonly host?: unknown }
}
