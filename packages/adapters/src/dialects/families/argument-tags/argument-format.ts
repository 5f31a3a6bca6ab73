/** Writes calls with argument tags, as the models of each dialect do. */
import type { WritableCall } from '../../define/definition.ts'
import type { FormatRefusal } from '../../define/dialect.ts'
import { MarkerSet } from '../../engine/marker.ts'
import { NAME_LIMIT, readHead } from './argument-head.ts'
import { argumentTag, TAGS, type TagSuffix } from './argument-marks.ts'
import { writeArgument } from './argument-value.ts'

export interface ArgumentTagsStyle {
  /** Writes one line per part. Otherwise, all parts are on one line. */
  readonly lines: boolean
  /** `<tool_sep>` after the name. */
  readonly separator?: boolean | undefined
  readonly suffix?: TagSuffix | undefined
}

/** Writes the calls one after the other. Refuses those that wouldn't be read back. */
export function formatTaggedCalls(calls: readonly WritableCall[], style: ArgumentTagsStyle): string | FormatRefusal {
  const written: string[] = []
  for (const call of calls) {
    const refusal = refuse(call)
    if (refusal !== undefined) return refusal
    written.push(formatCall(call, style))
  }
  return written.join(style.lines ? '\n' : '')
}

function formatCall({ name, args }: WritableCall, { lines, separator = false, suffix = '' }: ArgumentTagsStyle): string {
  const wrap = (tag: string, text: string) => `<${tag}${suffix}>${text}</${tag}${suffix}>`
  const pairs = Object.entries(args).flatMap(([key, value]) => [wrap('arg_key', key), wrap('arg_value', writeArgument(value))])
  const parts = [`${name}${separator ? `<tool_sep${suffix}>` : ''}`, ...pairs, '']
  return wrap('tool_call', parts.join(lines ? '\n' : ''))
}

const IN_NAME = new MarkerSet(TAGS)
const IN_KEY = new MarkerSet({ end: [...argumentTag('/arg_key'), ...argumentTag('arg_value')] })

function refuse({ name, args }: WritableCall): FormatRefusal | undefined {
  if (!isName(name)) {
    const message = `A tool named ${JSON.stringify(name)} cannot be called in this dialect: its name would not be read back as it is.`
    return { ok: false, code: 'invalid_name', message }
  }
  const key = Object.keys(args).find((one) => one !== one.trim() || IN_KEY.find(one, 0, true) !== undefined)
  if (key === undefined) return undefined
  const message = `The parameter ${JSON.stringify(key)} of "${name}" would not be read back: it has white space around it, or contains a tag.`
  return { ok: false, code: 'unsayable_value', message }
}

function isName(name: string): boolean {
  const head = readHead(name)
  const isRead = head.name === name && head.pairs.length === 0 && name.length < NAME_LIMIT
  return isRead && !/^(?:$|[[<])|\{/.test(name) && IN_NAME.find(name, 0, true) === undefined
}
