/** Our parser, and the baseline: one `JSON.parse` of the complete text. */
import { argumentStream, parseArguments } from '@x/adapters/arguments'
import type { ArgumentsSubject } from './arguments-workload.ts'

/** The baseline. It joins the deltas, parses them at the end, and shows no partial values. */
export const jsonParse: ArgumentsSubject = {
  showsNothing: true,
  read: ({ text }) => JSON.parse(text),
  parse(text) {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  },
}

/** The least that a stream of changes costs: an object for each delta, and `JSON.parse` at the end. */
export const objectPerDelta: ArgumentsSubject = {
  showsNothing: true,
  read({ deltas }, show) {
    let text = ''
    for (const delta of deltas) {
      text += delta
      show({ type: 'append', path: PATH, text: delta })
    }
    return JSON.parse(text)
  },
}

const PATH: readonly string[] = []

export const own: ArgumentsSubject = {
  read({ deltas }, show) {
    const stream = argumentStream()
    let changes = 0
    for (const delta of deltas) {
      changes += stream.push(delta).length
      show(stream.value)
    }
    const parsed = stream.end()
    if (!parsed.ok) throw new Error(parsed.message)
    if (changes === 0) throw new Error('No change was reported.')
    return parsed.value
  },
  parse(text) {
    const parsed = parseArguments(text)
    return parsed.ok ? parsed.value : undefined
  },
}
