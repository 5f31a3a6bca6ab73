/** Writes calls with argument tags, in the form that the models use. */
import type { WritableCall } from '../../define/definition.ts'
import type { FormatRefusal } from '../../define/dialect.ts'
import { refuseName, refuseParameter } from '../../define/refusals.ts'
import { MarkerSet } from '../../engine/marker.ts'
import { NAME_LIMIT, readHead } from './argument-head.ts'
import { argumentTag, TAGS, type TagSuffix } from './argument-marks.ts'
import { writeArgument } from './argument-value.ts'

export interface ArgumentTagsStyle {
  /** True if each part of a call is on its own line. Otherwise, all parts are on one line. */
  readonly lines: boolean
  /** True if `<tool_sep>` follows the name. */
  readonly separator?: boolean | undefined
  readonly suffix?: TagSuffix | undefined
}

/** Writes the calls one after another. Refuses calls that would be parsed differently. */
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
  const fault = faultOfName(name)
  if (fault !== undefined) return refuseName(name, fault)
  for (const key of Object.keys(args)) {
    if (key !== key.trim()) return refuseParameter(name, key, 'starts or ends with white space')
    if (IN_KEY.find(key, 0, true) !== undefined) return refuseParameter(name, key, 'contains a tag')
  }
  return undefined
}

function faultOfName(name: string): string | undefined {
  if (name === '' || name.length >= NAME_LIMIT) return `must have 1 to ${NAME_LIMIT - 1} characters`
  const start = /^[[<]/.exec(name)?.[0]
  if (start !== undefined) return `starts with "${start}"`
  if (name.includes('{')) return 'contains "{"'
  if (IN_NAME.find(name, 0, true) !== undefined) return 'contains a tag'
  const head = readHead(name)
  if (head.pairs.length > 0) return 'contains white space and "="'
  return head.name === name ? undefined : 'starts or ends with white space, a line break or quotes'
}
