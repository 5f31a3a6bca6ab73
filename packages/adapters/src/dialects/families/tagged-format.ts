/** The writing of calls in tags: see `taggedCalls`, which reads them. */
import type { DialectDefinition } from '../definition.ts'
import type { FormatRefusal } from '../dialect.ts'
import { type Marker, MarkerSet, textsOf } from '../engine/marker.ts'

/** A tag, or all the ways in which it is read; the first one is written. */
export type Tag = string | readonly [string, ...Exclude<Marker, readonly unknown[]>[]]

export interface TaggedCallsOptions {
  /** What stands around the calls of a turn, if anything does. */
  readonly wrapper?: { readonly open: Tag; readonly close: Tag } | undefined
  /** `open` NAME `nameEnd` parameters `close`; `<function name="`, `">` and `</function>`. */
  readonly call: { readonly open: Tag; readonly nameEnd: Tag; readonly close: Tag }
  /** `open` KEY `keyEnd` VALUE `close`; `<param name="`, `">` and `</param>`. */
  readonly parameter: { readonly open: Tag; readonly keyEnd: Tag; readonly close: Tag }
  /** `lines`: one line break on each side of a value belongs to its tags. `none` unless told. */
  readonly trim?: 'lines' | 'none' | undefined
}

/** UTF-16 units of a name or a key, at most. */
export const LONGEST_LABEL = 256

/** Refuses what a tag would end. */
export function taggedFormat({ wrapper, call, parameter, trim }: TaggedCallsOptions): DialectDefinition['formatCalls'] {
  const tags = [parameter.open, parameter.close, call.open, call.close, wrapper?.open ?? [], wrapper?.close ?? []]
  const inValue = new MarkerSet({ tag: tags.flatMap(textsOf) })
  const nameEnd = new MarkerSet({ end: call.nameEnd })
  const keyEnd = new MarkerSet({ end: parameter.keyEnd })
  const line = trim === 'lines' ? '\n' : ''
  return (calls) => {
    const written: string[] = []
    for (const { name, args } of calls) {
      if (!isLabel(name, nameEnd)) return refuse('invalid_name', name, 'its name')
      const parameters: string[] = []
      for (const [key, value] of Object.entries(args)) {
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        const isSayable = isLabel(key, keyEnd) && inValue.find(text, 0, true) === undefined
        if (!isSayable) return refuse('unsayable_value', name, `the argument "${key}"`)
        parameters.push(`${first(parameter.open)}${key}${first(parameter.keyEnd)}${line}${text}${line}${first(parameter.close)}`)
      }
      written.push(`${first(call.open)}${name}${first(call.nameEnd)}${parameters.join('')}${first(call.close)}`)
    }
    return `${first(wrapper?.open)}${written.join('')}${first(wrapper?.close)}`
  }
}

function first(tag: Tag = ''): string {
  return typeof tag === 'string' ? tag : tag[0]
}

function isLabel(label: string, end: MarkerSet): boolean {
  const isLine = label !== '' && label === label.trim() && !label.includes('\n')
  return isLine && label.length < LONGEST_LABEL && end.find(label, 0, true) === undefined
}

function refuse(code: FormatRefusal['code'], name: string, what: string): FormatRefusal {
  return { ok: false, code, message: `The call of "${name}" cannot be written: ${what} would end at a tag.` }
}
