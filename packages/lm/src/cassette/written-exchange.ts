/**
 * The form of an exchange in the file. A request is stored as its difference from an earlier one, so that the file stays
 * readable.
 */
import type { LMRequest } from '@x/adapters'
import type { Exchange, Reply } from './exchange.ts'

export interface WrittenExchange extends Reply {
  /** Number of the request in the order of sending, starting with 1. */
  readonly number: number
  /**
   * An earlier request. This request starts with the same messages, up to `messages`, and has the same fields, except those in
   * `request`.
   */
  readonly base?: { readonly number: number; readonly messages: number } | undefined
  readonly request: LMRequest
}

/** Converts exchanges to their form in the file. Compares each request with the previous 20 exchanges. */
export class ExchangeWriter {
  readonly #earlier: RequestTexts[] = []

  write(number: number, { request, reply }: Exchange): WrittenExchange {
    const texts = textsOf(number, request)
    const written = { number, ...this.#shortest(texts), ...reply }
    this.#earlier.push(texts)
    if (this.#earlier.length > COMPARED) this.#earlier.shift()
    return written
  }

  #shortest(texts: RequestTexts): Pick<WrittenExchange, 'base' | 'request'> {
    let best: Pick<WrittenExchange, 'base' | 'request'> = { request: texts.request }
    let length = lengthOf([...texts.messages, ...texts.fields.values()])
    for (const base of this.#earlier.toReversed()) {
      const isPart = [...base.fields.keys()].every((name) => texts.fields.has(name))
      if (base.number > texts.number || !isPart) continue
      const differing = texts.messages.findIndex((message, index) => message !== base.messages[index])
      const messages = differing === -1 ? texts.messages.length : differing
      const fields = [...texts.fields].filter(([name, text]) => base.fields.get(name) !== text)
      const needed = lengthOf([...texts.messages.slice(messages), ...fields.map(([, text]) => text)])
      if (needed >= length) continue
      length = needed
      const own = Object.fromEntries(fields.map(([name]) => [name, texts.request[name as keyof LMRequest]]))
      best = { base: { number: base.number, messages }, request: { ...own, messages: texts.request.messages.slice(messages) } }
    }
    return best
  }
}

const COMPARED = 20

/** A request whose fields and messages are JSON text, so that they can be compared. */
interface RequestTexts {
  readonly number: number
  readonly request: LMRequest
  readonly messages: readonly string[]
  readonly fields: ReadonlyMap<string, string>
}

function textsOf(number: number, request: LMRequest): RequestTexts {
  const { messages, ...fields } = request
  const texts = Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)] as const)
  return { number, request, messages: messages.map((message) => JSON.stringify(message)), fields: new Map(texts) }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}

/**
 * Converts exchanges back from their form in the file. Returns undefined for an exchange that is incomplete or whose base is
 * missing.
 */
export class ExchangeReader {
  readonly #requests = new Map<number, LMRequest>()

  read(written: unknown): Exchange | undefined {
    if (!isExchange(written)) return undefined
    const { number, base, request: own, ...reply } = written
    const from = base && this.#requests.get(base.number)
    if (base !== undefined && !((from?.messages.length ?? -1) >= base.messages)) return undefined
    const repeated = from?.messages.slice(0, base?.messages) ?? []
    const request = { ...from, ...own, messages: [...repeated, ...own.messages] }
    this.#requests.set(number, request)
    return { request, reply }
  }
}

function isExchange(written: unknown): written is WrittenExchange {
  if (!isRecord(written) || !isRecord(written.request) || !Array.isArray(written.request.messages)) return false
  const { number, response, deltas, error } = written
  if (typeof number !== 'number' || (response === undefined && deltas === undefined && error === undefined)) return false
  const isResponse = isRecord(response) && typeof response.text === 'string' && Array.isArray(response.toolCalls)
  const isError = isRecord(error) && typeof error.name === 'string' && typeof error.message === 'string'
  return (
    (response === undefined || isResponse) &&
    (deltas === undefined || (Array.isArray(deltas) && deltas.every(isRecord))) &&
    (error === undefined || isError)
  )
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
