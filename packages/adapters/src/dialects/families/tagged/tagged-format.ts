/** Writes calls in the tags that `taggedCalls` reads. */
import type { DialectDefinition } from '../../define/definition.ts'
import { refuseName, refuseParameter, refuseValue } from '../../define/refusals.ts'
import { type LooseMarker, MarkerSet, textsOf } from '../../engine/marker.ts'

/** A tag, or a list of its accepted spellings. The first spelling is the one that is written. */
export type TagText = string | readonly [string, ...(string | LooseMarker)[]]

export interface TaggedCallsOptions {
  /** Text around the calls of a turn. Default: none. */
  readonly wrapper?: { readonly open: TagText; readonly close: TagText } | undefined
  /**
   * Tags of a call: `open` NAME `nameEnd` parameters `close`, for example `<function name="`, `">` and `</function>`. Without
   * `nameEnd`, the name ends at the first parameter or at the end of the call.
   */
  readonly call: { readonly open: TagText; readonly nameEnd?: TagText | undefined; readonly close: TagText }
  /** Tags of a parameter: `open` KEY `keyEnd` VALUE `close`, for example `<param name="`, `">` and `</param>`. */
  readonly parameter: { readonly open: TagText; readonly keyEnd: TagText; readonly close: TagText }
  /** `lines`: one line break on each side of a value belongs to the tags. Default: `none`. */
  readonly trim?: 'lines' | 'none' | undefined
}

/** Maximum length of a name or a key, in UTF-16 units. */
export const LONGEST_LABEL = 256

/** Returns a `formatCalls` that refuses calls whose text would be parsed as a tag. */
export function taggedFormat({ wrapper, call, parameter, trim }: TaggedCallsOptions): DialectDefinition['formatCalls'] {
  const tags = [parameter.open, parameter.close, call.open, call.close, wrapper?.open ?? [], wrapper?.close ?? []]
  const inValue = new MarkerSet({ tag: tags.flatMap(textsOf) })
  const nameEnd = new MarkerSet({ end: call.nameEnd ?? tags.flatMap(textsOf) })
  const keyEnd = new MarkerSet({ end: parameter.keyEnd })
  const line = trim === 'lines' ? '\n' : ''
  return (calls) => {
    const written: string[] = []
    for (const { name, args } of calls) {
      const faultOfName = findLabelFault(name, nameEnd, first(call.nameEnd ?? call.close))
      if (faultOfName !== undefined) return refuseName(name, faultOfName)
      const parameters: string[] = []
      for (const [key, value] of Object.entries(args)) {
        const faultOfKey = findLabelFault(key, keyEnd, first(parameter.keyEnd))
        if (faultOfKey !== undefined) return refuseParameter(name, key, faultOfKey)
        const text = `${line}${typeof value === 'string' ? value : JSON.stringify(value)}${line}`
        if (!endsAt(inValue, text, first(parameter.close))) return refuseValue(name, `the argument "${key}"`, 'a tag')
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

function findLabelFault(label: string, ends: MarkerSet, end: string): string | undefined {
  if (label === '' || label.length > LONGEST_LABEL) return `must have 1 to ${LONGEST_LABEL} characters`
  if (label.includes('\n')) return 'contains a line break'
  if (label !== label.trim()) return 'starts or ends with white space'
  return endsAt(ends, label, end) ? undefined : `contains text that would be parsed as ${JSON.stringify(end)} or another tag`
}

/** Returns true if `text` followed by `end` contains no marker before `end`. */
function endsAt(markers: MarkerSet, text: string, end: string): boolean {
  return markers.find(text + end, 0, true)?.start === text.length
}
