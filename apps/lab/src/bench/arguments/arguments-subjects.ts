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
