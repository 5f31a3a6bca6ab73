/**
 * Inputs with a parameter value that never ends. A reader that keeps searching the value from its start takes quadratic time for
 * them.
 */
import type { ToolSpec } from '@x/tool-core'
import type { DialectSubject } from '../dialect-check.ts'
import type { EndlessText } from './endless-texts.ts'

export interface ValueText extends EndlessText {
  /**
   * Lists of tools with which to read the text. None, or tools that declare the value as another type than string, so that it is
   * read only once it is complete.
   */
  readonly tools: readonly (readonly ToolSpec[] | undefined)[]
}

const WORD = 'tea'
/**
 * Number of runs from which on each text is read with each list of tools. With fewer runs, each list is used for only some texts.
 */
export const MANY = 1_000

export function valueTexts({ dialect, runs, fragments, samples }: DialectSubject): readonly ValueText[] {
  const formatted = dialect.formatCall({ id: 'call_0', name: 'look_up', arguments: `{"query": "${WORD}"}` })
  const written = formatted.ok && {
    start: beginningOf(formatted.text, WORD),
    tools: [undefined, [lookUp('object')], [lookUp('string')]],
  }
  const sampled = samples.flatMap(({ text, calls, tools }) => {
    const values = calls.flatMap(({ args }) => leavesOf(args))
    return values.map((value) => ({ start: beginningOf(text, value), tools: [undefined, tools] }))
  })
  const starts = [...(written ? [written] : []), ...sampled].filter(({ start }) => start !== '')
  return starts.flatMap(({ start, tools }, row) =>
    [...UNITS, ...fragments].map((unit, column) => ({
      start: start + unit,
      kind: 'begun' as const,
      tools: runs < MANY ? [tools[(row + column) % tools.length]] : tools,
      toText: (length: number) => start + unit.repeat(Math.ceil(length / unit.length)),
    })),
  )
}

const UNITS = ['x', ' ', '\n', '<', '</', '"', "'", '\\', ',', '{', '[', '`']

/** Returns the text up to the end of the value, or an empty string if the text doesn't contain the value. */
function beginningOf(text: string, value: string): string {
  const at = text.indexOf(value)
  return at < 0 ? '' : text.slice(0, at + value.length)
}

/** Returns the scalar values in the arguments, in the form in which they appear in text. */
function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === '' || text.includes('\n') ? [] : [text]
}

function lookUp(type: 'object' | 'string'): ToolSpec {
  const parameters = { type: 'object', properties: { query: { type } }, required: ['query'] }
  return { type: 'function', function: { name: 'look_up', description: 'Looks something up.', parameters } }
}
