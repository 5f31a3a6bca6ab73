/** Serializes values as JSON. Refuses values that JSON can't restore. */
import { randomUUID } from 'node:crypto'
import { DurableError } from '../errors.ts'

/**
 * Returns the JSON text of a value, or undefined for undefined. Throws `invalid_value` with the path if the value contains
 * anything but plain data, such as a date, a map, a class instance, a non-finite number or a function. Omits properties that JSON
 * omits: undefined, non-enumerable and symbol-keyed ones, and extra properties of an array.
 */
export function toJsonText(value: unknown, owner: string): string | undefined {
  if (value === undefined) return undefined
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    // The value is nested too deeply, is circular, or contains a bigint.
    const words = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    throw new DurableError('invalid_value', `${owner} cannot be recorded: ${words}`, { cause })
  }
  const { foreign, hasNegativeZero } = inspect(value)
  if (foreign !== undefined) {
    const { place, words } = foreign
    const where = place === '' ? 'it' : `its value at ${place}`
    throw new DurableError('invalid_value', `${owner} cannot be recorded: ${where} is ${words}. Use plain JSON data.`)
  }
  return hasNegativeZero ? withNegativeZeros(value) : text
}

/** Serializes a value that contains -0. JSON supports -0, but `JSON.stringify` writes it as 0. */
function withNegativeZeros(value: unknown): string {
  // A placeholder for -0. It is random, so the value can't contain it.
  const mark = randomUUID()
  const text = JSON.stringify(value, (_, child: unknown) => (Object.is(child, -0) ? mark : child))
  return text.replaceAll(`"${mark}"`, '-0')
}

interface Node {
  readonly value: unknown
  readonly name: string
  readonly parent: Node | undefined
}

interface Inspection {
  readonly foreign?: { readonly place: string; readonly words: string }
  readonly hasNegativeZero: boolean
}

/**
 * Searches the value for anything but plain data. Uses a loop, because recursion could overflow the stack. `JSON.stringify` has
 * already refused circular values, so the loop ends.
 */
function inspect(root: unknown): Inspection {
  let hasNegativeZero = false
  const open: Node[] = [{ value: root, name: '', parent: undefined }]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { value } = node
    const words = foreignWords(value)
    if (words !== undefined) return { foreign: { place: placeOf(node), words }, hasNegativeZero }
    if (Object.is(value, -0)) hasNegativeZero = true
    if (typeof value !== 'object' || value === null) continue
    const members = Object.entries(value)
    // `JSON.stringify` omits the other properties of an array.
    if (Array.isArray(value)) members.length = value.length
    for (const [name, child] of members) {
      const isLeftOut = child === undefined && !Array.isArray(value)
      if (!isLeftOut) open.push({ value: child, name, parent: node })
    }
  }
  return { hasNegativeZero }
}

function foreignWords(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : `the number ${value}`
    case 'object':
      return foreignObjectWords(value)
    default:
      return `of type ${typeof value}`
  }
}

function foreignObjectWords(value: object | null): string | undefined {
  if (value === null) return undefined
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!(index in value)) return 'a sparse array'
    return undefined
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  // Also accepts the `Object.prototype` of another realm, such as a test environment.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined
  const { name } = (value.constructor as { name?: unknown } | undefined) ?? {}
  return `an instance of ${typeof name === 'string' && name !== '' ? name : 'a class'}`
}

function placeOf(node: Node): string {
  const names: string[] = []
  for (let at: Node | undefined = node; at?.parent !== undefined; at = at.parent) names.push(at.name)
  return names.length === 0 ? '' : `"${names.reverse().join('.')}"`
}
