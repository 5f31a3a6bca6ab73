/** Detects whether a request is still waiting for a connection, which `fetch` doesn't report. */

/** Diagnostics channels of Node's `fetch`: https://undici.nodejs.org/#/docs/api/DiagnosticsChannel */
const CREATED = 'undici:request:create'
const CONNECTING = 'undici:client:beforeConnect'
const CONNECTED = 'undici:client:connected'
const SENT = 'undici:client:sendHeaders'

/** Called with true when a connection for the request starts to open, and with false when that has succeeded or failed. */
export type OnConnecting = (isConnecting: boolean) => void

/**
 * Calls `send`, which must call `fetch`, and watches the connection of that request. `fetch` creates its request synchronously,
 * so the request created during this call is the right one. A request that waits in a dispatcher for a free connection doesn't
 * count as connecting. Outside Node, and with a custom `fetch`, `onConnecting` is never called. Always call the returned function
 * at the end.
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
