/** A correct wire format that writes the names of tools and calls under a key other than `name`. */

import type { WireSample } from '../../src/testing/wire-check.ts'
import { mergeOptions } from '../../src/wire/merge-options.ts'
import { arrayAt, type JsonObject, objectAt } from '../../src/wire/read-json.ts'
import type { StreamDecoder, WireFormat } from '../../src/wire/wire-format.ts'

/** How the tools are listed. `title`: a list of tools, each with a title. `key`: an object whose keys are the tool names. */
export type Naming = 'title' | 'key'

/** A Chat Completions wire format for an API that writes `title` for every `name`. */
export function renamed(wire: WireFormat, naming: Naming): WireFormat {
  return {
    ...wire,
    encode(request, model, options) {
      const { providerOptions, ...rest } = request
      const body = toTitles(wire.encode(rest, model, options)) as JsonObject
      return mergeOptions(naming === 'key' ? withToolsByName(body) : body, providerOptions)
    },
    decode: (reply, request, model) => ({ ...wire.decode(toNames(reply), request, model), raw: reply }),
    streamDecoder(request, model): StreamDecoder {
      const decoder = wire.streamDecoder?.(request, model) as StreamDecoder
      return { push: (event) => decoder.push(toNames(event)), end: (isDone) => decoder.end(isDone) }
    },
  }
}

/** Converts the samples of `wire` to the form of this API. */
export function renamedSamples(samples: readonly WireSample[]): readonly WireSample[] {
  return samples.map(({ reply, events, ...sample }) => ({
    ...sample,
    ...(reply !== undefined && { reply: toTitles(reply) }),
    ...(events !== undefined && { events: events.map(toTitles) }),
  }))
}

function withToolsByName({ tools, ...body }: JsonObject): JsonObject {
  const entries = arrayAt({ tools }, 'tools').map((tool) => {
    const { title, ...rest } = objectAt(tool, 'function') ?? {}
    return [String(title), rest]
  })
  return tools === undefined ? body : { ...body, tools: Object.fromEntries(entries) }
}

const toTitles = (value: unknown) => withKey(value, 'name', 'title')
const toNames = (value: unknown) => withKey(value, 'title', 'name')

/** Renames a key, down to the level of names. Arguments are text and stay unchanged. */
function withKey(value: unknown, from: string, to: string, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((item) => withKey(item, from, to, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key === from ? to : key, withKey(child, from, to, depth + 1)]),
  )
}

const MAX_DEPTH = 8
