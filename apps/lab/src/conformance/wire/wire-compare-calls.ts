/** Compares tool calls with the expected ones. Arguments are parsed strictly, because repairing them is the job of another layer. */
import type { RawToolCall } from '@x/adapters'
import { difference, missing, show } from '../compare.ts'
import type { ArgumentsError, ExpectedCall } from './wire-case.ts'

export function compareCalls(found: readonly RawToolCall[], expected: readonly ExpectedCall[]): readonly string[] {
  if (found.length !== expected.length)
    return [`tool_calls: expected ${expected.length}, found ${found.length} (${found.map(({ name }) => name).join(', ')})`]
  const ids = new Set(found.map(({ id }) => id))
  const repeated = ids.size < found.length ? ['tool_calls: an id appears twice'] : []
  return [...repeated, ...found.flatMap((call, index) => compareCall(`tool_calls[${index}]`, call, expected[index]))]
}

function compareCall(at: string, found: RawToolCall, expected: ExpectedCall | null | undefined): readonly string[] {
  if (typeof expected !== 'object' || expected === null) return [`${at}: cannot check ${show(expected)}`]
  const read = readStrictly(found)
  return Object.entries(expected).flatMap(([key, wanted]) => {
    switch (key) {
      case 'id':
        if (wanted === null) return found.id === '' ? [`${at}.id: expected a generated id, found none`] : []
        return difference(`${at}.id`, wanted, found.id)
      case 'name':
        return difference(`${at}.name`, wanted ?? '', found.name)
      case 'arguments':
        return difference(`${at}.arguments`, wanted, read.value)
      case 'error':
        return difference(`${at}.error`, wanted, read.error)
      case 'arguments_raw':
        return difference(`${at}.arguments_raw`, wanted, found.arguments)
      case 'truncated':
        return difference(`${at}.truncated`, wanted, found.truncated ?? false)
      case 'item_id':
      case 'namespace':
      case 'thought_signature':
        return missing(`${at}.${key}`, found.metadata, wanted)
      default:
        return [`${at}: cannot check ${show(key)}`]
    }
  })
}

interface Reading {
  readonly value: object | null
  readonly error?: ArgumentsError
}

/** Parses arguments without repairs. An empty string and `null` mean no arguments. Any other text must contain an object. */
function readStrictly({ name, arguments: text, truncated }: RawToolCall): Reading {
  if (name === '') return { value: null, error: 'missing_name' }
  if (text === '' || text === 'null') return { value: {} }
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { value } : { value: null, error: 'not_object' }
  } catch (error) {
    const endsEarly = truncated || isFaultAtEnd((error as Error).message, text)
    return { value: null, error: endsEarly ? 'truncated_json' : 'invalid_json' }
  }
}

/** Returns true if the error is at the end of the text. V8's message ends with the position, and may quote the text before it. */
function isFaultAtEnd(words: string, text: string): boolean {
  const place = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(words)?.[1]
  return place === undefined ? words === 'Unexpected end of JSON input' : Number(place) >= text.length
}
