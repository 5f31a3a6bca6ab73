/** Generates copies of a JSON value, each with one change. */
import { pointerSegment } from '@x/tool-core'
import { isSameJson } from './compare.ts'

export interface ValueChange {
  /** JSON pointer of the change. */
  readonly path: string
  readonly kind: 'another value' | 'null' | 'another item' | 'an item less' | 'another order' | 'another key' | 'a key less'
  readonly from: unknown
  readonly to: unknown
  /** The whole value, with the change. */
  readonly expected: Record<string, unknown>
}

export interface ChangeRules {
  readonly others: Readonly<Record<string, readonly unknown[]>>
  readonly whole?: RegExp
  readonly exact?: RegExp
}

export function* changesOf(expected: Readonly<Record<string, unknown>>, rules: ChangeRules): Generator<ValueChange> {
  for (const { path, kind, from, to, whole } of changesAt(expected, '', rules))
    yield { path, kind, from, to, expected: whole as Record<string, unknown> }
}

type Part = Omit<ValueChange, 'expected'> & { readonly whole: unknown }

function* changesAt(value: unknown, path: string, rules: ChangeRules): Generator<Part> {
  const change = (kind: ValueChange['kind'], to: unknown): Part => ({ path, kind, from: value, to, whole: to })
  const others = rules.others[path]
  if (others !== undefined) for (const other of others) yield change('another value', other)
  else if (rules.whole?.test(path)) yield change('another value', otherThan(value))
  else if (Array.isArray(value)) {
    yield* changesOfList(value, change)
    for (const [index, inner] of value.entries())
      for (const part of changesAt(inner, `${path}/${index}`, rules)) yield { ...part, whole: value.with(index, part.whole) }
  } else if (isObject(value)) {
    if (path !== '') yield change('null', null)
    if (rules.exact?.test(path)) yield* changesOfKeys(value, change)
    for (const [key, inner] of Object.entries(value))
      for (const part of changesAt(inner, `${path}/${pointerSegment(key)}`, rules))
        yield { ...part, whole: { ...value, [key]: part.whole } }
  } else {
    yield change('another value', otherThan(value))
    // In the corpora, null and an empty string are equivalent.
    if (value !== null && value !== '') yield change('null', null)
  }
}

type Change = (kind: ValueChange['kind'], to: unknown) => Part

function* changesOfList(list: readonly unknown[], change: Change): Generator<Part> {
  yield change('another item', [...list, list.length === 0 ? {} : otherThan(list[0])])
  if (list.length > 0) yield change('an item less', list.slice(1))
  const turned = list.toReversed()
  if (!isSameJson(turned, list)) yield change('another order', turned)
}

function* changesOfKeys(value: Record<string, unknown>, change: Change): Generator<Part> {
  yield change('another key', { ...value, another: 1 })
  for (const key of Object.keys(value)) {
    const { [key]: _, ...others } = value
    yield change('a key less', others)
  }
}

/** Returns a value of the same type with all of its parts changed. */
function otherThan(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(otherThan)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, otherThan(inner)]))
  // Adding 1 does not change a very large number.
  if (typeof value === 'number') return value + 1 === value ? value / 2 : value + 1
  return typeof value === 'boolean' ? !value : `${value ?? ''}~`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
