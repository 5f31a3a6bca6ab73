/** Inputs in which a parameter value never ends. A reader that keeps rescanning the value from its start takes quadratic time on them. */
import type { ToolSpec } from '@x/tool-core'
import type { DialectSubject } from '../dialect-check.ts'
import type { EndlessText } from './endless-texts.ts'

export interface ValueText extends EndlessText {
  /**
   * Lists of tools to read the text with: no tools, and tools that declare the value with a type other than string, so that the value is
   * only read once it is complete.
   */
  readonly tools: readonly (readonly ToolSpec[] | undefined)[]
}

const WORD = 'tea'
/** If there are at least this many runs, each text is read with each list of tools. Otherwise, each list is used with some of the texts. */
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

/** Returns the text up to the end of the value. Empty if the text doesn't contain the value. */
function beginningOf(text: string, value: string): string {
  const at = text.indexOf(value)
  return at < 0 ? '' : text.slice(0, at + value.length)
}

/** Returns the scalars of the arguments in the form in which they appear in text. */
function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === '' || text.includes('\n') ? [] : [text]
}

function lookUp(type: 'object' | 'string'): ToolSpec {
  const parameters = { type: 'object', properties: { query: { type } }, required: ['query'] }
  return { type: 'function', function: { name: 'look_up', description: 'Looks something up.', parameters } }
}
