/** Writes calls in tags; `taggedCalls` reads them. */
import type { DialectDefinition } from '../../define/definition.ts'
import type { FormatRefusal } from '../../define/dialect.ts'
import { type LooseMarker, MarkerSet, textsOf } from '../../engine/marker.ts'

/** A tag, or all of its accepted spellings; the first one is written. */
export type TagText = string | readonly [string, ...(string | LooseMarker)[]]

export interface TaggedCallsOptions {
  /** Text around the calls of a turn, if any. */
  readonly wrapper?: { readonly open: TagText; readonly close: TagText } | undefined
  /**
   * The tags of a call: `open` NAME `nameEnd` parameters `close`, such as `<function name="`, `">` and `</function>`. Without `nameEnd`,
   * the name ends at the first parameter or at the end of the call.
   */
  readonly call: { readonly open: TagText; readonly nameEnd?: TagText | undefined; readonly close: TagText }
  /** The tags of a parameter: `open` KEY `keyEnd` VALUE `close`, such as `<param name="`, `">` and `</param>`. */
  readonly parameter: { readonly open: TagText; readonly keyEnd: TagText; readonly close: TagText }
  /** `lines`: one line break on each side of a value belongs to its tags. Default: `none`. */
  readonly trim?: 'lines' | 'none' | undefined
}

/** Maximum length of a name or a key, in UTF-16 units. */
export const LONGEST_LABEL = 256

/** Refuses calls that a tag would end. */
export function taggedFormat({ wrapper, call, parameter, trim }: TaggedCallsOptions): DialectDefinition['formatCalls'] {
  const tags = [parameter.open, parameter.close, call.open, call.close, wrapper?.open ?? [], wrapper?.close ?? []]
  const inValue = new MarkerSet({ tag: tags.flatMap(textsOf) })
  const nameEnd = new MarkerSet({ end: call.nameEnd ?? tags.flatMap(textsOf) })
  const keyEnd = new MarkerSet({ end: parameter.keyEnd })
  const line = trim === 'lines' ? '\n' : ''
  return (calls) => {
    const written: string[] = []
    for (const { name, args } of calls) {
      if (!isLabel(name, nameEnd, first(call.nameEnd ?? call.close))) return refuse('invalid_name', name, 'its name')
      const parameters: string[] = []
      for (const [key, value] of Object.entries(args)) {
        const text = `${line}${typeof value === 'string' ? value : JSON.stringify(value)}${line}`
        const isSayable = isLabel(key, keyEnd, first(parameter.keyEnd)) && endsAt(inValue, text, first(parameter.close))
        if (!isSayable) return refuse('unsayable_value', name, `the argument "${key}"`)
        parameters.push(`${first(parameter.open)}${key}${first(parameter.keyEnd)}${text}${first(parameter.close)}`)
      }
      written.push(`${first(call.open)}${name}${first(call.nameEnd)}${parameters.join('')}${first(call.close)}`)
    }
    return `${first(wrapper?.open)}${written.join('')}${first(wrapper?.close)}`
  }
}

function first(tag: TagText = ''): string {
  return typeof tag === 'string' ? tag : tag[0]
}

function isLabel(label: string, ends: MarkerSet, end: string): boolean {
  const isLine = label !== '' && label === label.trim() && !label.includes('\n')
  return isLine && label.length <= LONGEST_LABEL && endsAt(ends, label, end)
}

/** True if the first marker in the combined text is the one where the two texts meet. */
function endsAt(markers: MarkerSet, text: string, end: string): boolean {
  return markers.find(text + end, 0, true)?.start === text.length
}

function refuse(code: FormatRefusal['code'], name: string, what: string): FormatRefusal {
  return { ok: false, code, message: `The call to "${name}" cannot be written: ${what} would end at a tag.` }
}
