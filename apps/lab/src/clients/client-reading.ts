/** An official client's reading of a reply, in a form that can be compared with ours. */
import type { LMResponse } from '@x/adapters'
import { isSameJson, show } from '../conformance/compare.ts'

export interface ClientReading {
  readonly text: string
  readonly calls: readonly ClientCall[]
  /** The provider's own finish reason. */
  readonly finish?: string | null | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

export interface ClientCall {
  /** Absent if the API sent none. */
  readonly id?: string | undefined
  readonly name: string
  /** A string, or an object if the client parses it. */
  readonly arguments: unknown
}

/** Returns one line for each difference. Values that the client doesn't expose aren't compared. */
export function compareReadings(client: ClientReading, ours: LMResponse): readonly string[] {
  return [
    ...(client.text === ours.text ? [] : [`text: ${show(client.text)}, ours ${show(ours.text)}`]),
    ...compareCalls(client.calls, ours.toolCalls),
    ...compareOne('finish', client.finish || undefined, ours.rawFinishReason),
    ...compareOne('inputTokens', client.inputTokens || undefined, ours.usage?.inputTokens),
    ...compareOne('outputTokens', client.outputTokens || undefined, ours.usage?.outputTokens),
  ]
}

function compareOne(what: string, client: unknown, ours: unknown): readonly string[] {
  return client === undefined || client === ours ? [] : [`${what}: ${show(client)}, ours ${show(ours)}`]
}

function compareCalls(client: readonly ClientCall[], ours: LMResponse['toolCalls']): readonly string[] {
  if (client.length !== ours.length) return [`calls: ${client.length}, ours ${ours.length}`]
  const repeated = new Set(client.map(({ id }) => id)).size < client.length
  return client.flatMap((call, index) => {
    const own = ours[index]
    const isSame = isSameJson(parse(call.arguments), parse(own?.arguments))
    return [
      ...compareOne(`calls[${index}].name`, call.name, own?.name),
      ...compareOne(`calls[${index}].id`, repeated ? undefined : call.id || undefined, own?.id),
      ...(isSame ? [] : [`calls[${index}].arguments: ${show(call.arguments)}, ours ${show(own?.arguments)}`]),
    ]
  })
}

/** Parses arguments. An empty string means no arguments. Invalid JSON is compared as text. */
function parse(value: unknown): unknown {
  if (value === '' || value === undefined || value === null) return {}
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) ?? {}
  } catch {
    return value
  }
}
