/** Writes calls in a custom notation, in the form that the models use. */
import type { WritableCall } from '../../define/definition.ts'
import type { FormatRefusal } from '../../define/dialect.ts'
import { refuseName, refuseValue } from '../../define/refusals.ts'
import { type CustomLiteralOptions, isOfName, LONGEST_NAME } from './literal-marks.ts'

export function formatLiteralCalls(calls: readonly WritableCall[], options: CustomLiteralOptions): string | FormatRefusal {
  const { open, close } = options
  let text = ''
  for (const { name, args } of calls) {
    const faultOfName = findNameFault(name)
    if (faultOfName !== undefined) return refuseName(name, faultOfName)
    const fault = findFault(args, options)
    if (fault !== undefined) return refuseValue(name, JSON.stringify(fault), 'a delimiter')
    text += `${open}call:${name}${formatObject(args, options)}${close}`
  }
  return text
}

function findNameFault(name: string): string | undefined {
  if (name === '' || name.length >= LONGEST_NAME) return `must have 1 to ${LONGEST_NAME - 1} characters`
  const wrong = [...name].find((unit) => !isOfName(unit.charCodeAt(0)))
  if (wrong !== undefined) return `contains ${JSON.stringify(wrong)}`
  return name === name.trim() ? undefined : 'starts or ends with white space'
}

/** Describes the string or key that can't be written, because it contains a marker. Returns undefined if there is none. */
function findFault(value: unknown, options: CustomLiteralOptions): string | undefined {
  if (typeof value === 'string') return isRepresentable(value, options) ? undefined : value
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes(options.quote) || key.includes(options.close)) return key
    const fault = findFault(inner, options)
    if (fault !== undefined) return fault
  }
  return undefined
}

/**
 * Returns true if the text can be written as a string. It may contain an end marker, unless closing brackets precede that marker
 * or another block follows it; see `readDelimited`.
 */
function isRepresentable(text: string, { open, close, quote }: CustomLiteralOptions): boolean {
  if (text.includes(quote)) return false
  const pieces = text.split(close)
  return pieces.every((piece, index) => {
    const isBeforeMarker = index < pieces.length - 1
    return !(isBeforeMarker && /\}[\]\s]*$/.test(piece.slice(-64))) && !(index > 0 && piece.trimStart().startsWith(open))
  })
}

function formatObject(value: object, options: CustomLiteralOptions): string {
  const members = Object.entries(value).map(([key, inner]) => `${formatKey(key, options)}:${formatValue(inner, options)}`)
  return `{${members.join(',')}}`
}

function formatKey(key: string, { quote }: CustomLiteralOptions): string {
  return /^[A-Za-z_][\w.-]{0,63}$/.test(key) ? key : quote + key + quote
}

function formatValue(value: unknown, options: CustomLiteralOptions): string {
  if (typeof value === 'string') return options.quote + value + options.quote
  if (Array.isArray(value)) return `[${value.map((item) => formatValue(item, options)).join(',')}]`
  return typeof value === 'object' && value !== null ? formatObject(value, options) : JSON.stringify(value)
}
