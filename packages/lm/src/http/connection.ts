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
  if (!isSubscribed) channels.subscribe(CREATED, (message) => onCreated?.(message as Message))
  isSubscribed = true
  let ours: unknown
  onCreated = ({ request }) => {
    ours ??= request
  }
  const isOurs = (message: Message) => message.connectParams?.host === host
  const listeners: [string, (message: unknown) => void][] = [
    [CONNECTING, (message) => isOurs(message as Message) && onConnecting(true)],
    [CONNECTED, (message) => isOurs(message as Message) && onConnecting(false)],
    [SENT, (message) => (message as Message).request === ours && stop()],
  ]
  const stop = () => {
    for (const [name, listener] of listeners) channels.unsubscribe(name, listener)
    onConnecting(false)
  }
  try {
    const sending = send()
    if (ours === undefined) return [sending, () => {}]
    for (const [name, listener] of listeners) channels.subscribe(name, listener)
    return [sending, stop]
  } finally {
    onCreated = undefined
  }
}

/** Called for each request that `fetch` creates while `send` runs. */
let onCreated: ((message: Message) => void) | undefined
/** True once the channel has its listener, which stays: adding and removing one for each request costs 4 % of it in `bench wire`. */
let isSubscribed = false

interface Message {
  readonly request?: unknown
  readonly connectParams?: { readonly host?: unknown }
}
