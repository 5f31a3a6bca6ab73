/**
 * Writes calls as `<invoke>` blocks. If some arguments can't be written in tags, all arguments are written as one JSON object.
 */
import type { WritableCall } from '../../define/definition.ts'
import type { FormatRefusal } from '../../define/dialect.ts'
import { type Marker, MarkerSet } from '../../engine/marker.ts'
import type { TagStart } from './invoke-tags.ts'
import { formatAttribute } from './tag-attributes.ts'

export interface InvokeStyle {
  /** Text before the first call and after the last one. */
  readonly open: string
  readonly close: string
  /** Text around each call. */
  readonly before?: string | undefined
  readonly after: string
  readonly tag: TagStart
  /** Text between the tags of a call, for example a line break. */
  readonly line: string
  /** Markers that end a value. A string that contains one can't be written in tags. */
  readonly ends: Marker
  /**
   * Writes one parameter in its tags. `text` is the value as it appears between the tags. Returns undefined if the key can't be
   * written in a tag.
   */
  parameter(key: string, value: unknown, text: string): string | undefined
  /** Returns true for arguments that could be written in tags but would be parsed differently. */
  readonly isAmbiguous?: ((args: WritableCall['args']) => boolean) | undefined
}

export function invokeFormat(style: InvokeStyle): (calls: readonly WritableCall[]) => string | FormatRefusal {
  const ends = new MarkerSet({ ends: style.ends })
  return (calls) => {
    const written: string[] = []
    for (const call of calls) {
      const name = formatAttribute('name', call.name)
      if (name === undefined) return refuse(call.name)
      const body = formatParameters(call, style, ends) ?? `${style.line}${withoutTags(call.json)}${style.line}`
      written.push(`${style.before ?? ''}${style.tag.open}invoke ${name}>${body}${style.tag.close}invoke>${style.after}`)
    }
    return `${style.open}${written.join('')}${style.close}`
  }
}

/**
 * Returns a function that writes `<parameter name="K">`. `pair`: a value that starts with a line break gets another line break on
 * each side. `typed`: the attribute `string` says whether the value is a string or JSON.
 */
export function parameterTag({ open, close }: TagStart, how: 'pair' | 'typed'): InvokeStyle['parameter'] {
  return (key, value, text) => {
    const name = formatAttribute('name', key)
    if (name === undefined) return undefined
    const type = how === 'typed' ? ` string="${typeof value === 'string'}"` : ''
    return `${open}parameter ${name}${type}>${how === 'pair' ? withLines(text) : text}${close}parameter>`
  }
}

function withLines(text: string): string {
  return /^\r?\n/.test(text) ? `\n${text}\n` : text
}

function formatParameters({ args }: WritableCall, style: InvokeStyle, ends: MarkerSet): string | undefined {
  const lines = [style.line]
  if (style.isAmbiguous?.(args) === true) return undefined
  for (const [key, value] of Object.entries(args)) {
    const text = toText(value, ends)
    const parameter = text === undefined ? undefined : style.parameter(key, value, text)
    if (parameter === undefined) return undefined
    lines.push(parameter, style.line)
  }
  return lines.join('')
}

function toText(value: unknown, ends: MarkerSet): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (ends.find(text, 0, true) === undefined) return text
  return typeof value === 'string' ? undefined : withoutTags(text)
}

/** Escapes every `<` in JSON text, where it occurs only inside strings. No marker remains then. */
function withoutTags(json: string): string {
  return json.replaceAll('<', '\\u003c')
}

function refuse(name: string): FormatRefusal {
  const reason = 'it is empty, contains "<", ">" or both kinds of quotes, or starts or ends with white space'
  const message = `The tool name "${name}" cannot be written in an <invoke> tag: ${reason}. Rename the tool.`
  return { ok: false, code: 'invalid_name', message }
}
