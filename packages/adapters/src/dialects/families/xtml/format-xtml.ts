/** Writes calls as XTML. */
import { typeOfValue } from '../../../shaping/schema/keywords.ts'
import type { WritableCall } from '../../define/definition.ts'
import type { FormatRefusal } from '../../define/dialect.ts'
import { refuseName } from '../../define/refusals.ts'
import { hasTokenPart, toAttribute, XTML_VALUE } from './xtml-tags.ts'

/** Writes the calls of a turn. If an argument would end its own tag, all arguments of that call are written as one JSON body. */
export function formatXtmlCalls(calls: readonly WritableCall[]): string | FormatRefusal {
  for (const { name } of calls) {
    if (name === '') return refuseName(name, 'is empty')
    if (hasTokenPart(name)) return refuseName(name, 'contains "<|" or "|>"')
  }
  return wrap('tools', '', calls.map(formatCall).join(''))
}

function formatCall({ name, args, json }: WritableCall, index: number): string {
  const all = Object.entries(args)
  const body = all.every(isRepresentable)
    ? all.map(formatArgument).join('')
    : wrap('json', ' type="object"', json.replaceAll('<', '\\u003c'))
  return wrap('call', ` ${toAttribute('tool', name)} index="${index + 1}"`, body)
}

function wrap(tag: string, attributes: string, body: string): string {
  return `<|open|>${tag}${attributes}<|sep|>${body}<|close|>${tag}<|sep|>`
}

function isRepresentable([key, value]: [string, unknown]): boolean {
  return !hasTokenPart(key) && !XTML_VALUE.endsIn(toText(value))
}

function formatArgument([key, value]: [string, unknown]): string {
  return wrap('argument', ` ${toAttribute('key', key)} type="${typeOfValue(value)}"`, toText(value))
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
