/**
 * Collects arguments that Vertex streams value by value, each with its path: `{ jsonPath: '$.days[0]', stringValue: 'Mon', willContinue:
 * true }`.
 */
import { fieldAt, stringAt } from '../read-json.ts'
import { ArgsWriter, type Step } from './args-writer.ts'

type Container = Record<string, unknown> | unknown[]

const MAX_STEPS = 64
const MAX_PATH = 4_096

export class PartialArgs {
  // Has no prototype, so that `__proto__` is a key like any other.
  readonly #args: Record<string, unknown> = Object.create(null)
  readonly #writer = new ArgsWriter()
  /** The paths of strings that aren't complete yet. */
  readonly #open = new Set<string>()
  #isBroken = false

  /** Adds a value, and returns the new piece of the JSON text. */
  push(entry: unknown): string {
    const path = stringAt(entry, 'jsonPath')
    const value = readValue(entry)
    if (path === undefined || value === undefined) return ''
    const steps = readPath(path)
    const appends = this.#open.has(path) && typeof value === 'string'
    if (steps === undefined || !this.#set(steps, value, appends)) {
      this.#isBroken = true
      return ''
    }
    const hasMore = typeof value === 'string' && fieldAt(entry, 'willContinue') === true
    if (hasMore) this.#open.add(path)
    else this.#open.delete(path)
    return this.#writer.write({ path, steps, value, appends, hasMore })
  }

  /**
   * Ends the arguments. `rest` is the rest of the JSON text, which is empty if the arguments were truncated. If values arrived out of
   * order, `whole` is the complete text.
   */
  close(isCut = false): { readonly rest: string; readonly whole?: string } {
    if (this.#writer.isWhole()) return { rest: isCut ? '' : this.#writer.close() }
    return { rest: '', whole: JSON.stringify(this.#args) }
  }

  /** False if a string has no end or a path was invalid, because the arguments are then incomplete. */
  isWhole(): boolean {
    return !this.#isBroken && this.#open.size === 0
  }

  #set(steps: readonly Step[], value: unknown, appends: boolean): boolean {
    let container: Container = this.#args
    for (const [index, step] of steps.entries()) {
      if (!isStepOf(container, step)) return false
      const known: unknown = container[step as keyof Container]
      const next = steps[index + 1]
      if (next === undefined) {
        if (isContainer(known)) return false
        ;(container as Record<Step, unknown>)[step] = appends ? `${known as string}${value as string}` : value
        return true
      }
      const child: unknown = known ?? (typeof next === 'number' ? [] : Object.create(null))
      if (!isContainer(child)) return false
      ;(container as Record<Step, unknown>)[step] = child
      container = child
    }
    return false
  }
}

/** Reads the value of an entry. Returns undefined if the entry has no value, and null for a null value. */
function readValue(entry: unknown): unknown {
  if (fieldAt(entry, 'nullValue') !== undefined) return null
  const value = fieldAt(entry, 'stringValue') ?? fieldAt(entry, 'numberValue') ?? fieldAt(entry, 'boolValue')
  return typeof value === 'object' ? undefined : value
}

/** True if the container accepts the step. A list accepts an index up to its length, because it grows by one item at a time. */
function isStepOf(container: Container, step: Step): boolean {
  return Array.isArray(container) ? typeof step === 'number' && step <= container.length : typeof step === 'string'
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

/** Parses a path such as `$.a.b[0]` or `$['a b']`. Undefined if the path doesn't identify a single value. */
function readPath(path: string): readonly Step[] | undefined {
  if (!path.startsWith('$') || path.length > MAX_PATH) return undefined
  const steps: Step[] = []
  for (let at = 1; at < path.length; ) {
    const found = path[at] === '.' ? readName(path, at + 1) : readBrackets(path, at)
    if (found === undefined || steps.length === MAX_STEPS) return undefined
    steps.push(found.step)
    at = found.end
  }
  return steps
}

interface Found {
  readonly step: Step
  readonly end: number
}

function readName(path: string, start: number): Found | undefined {
  let end = start
  while (end < path.length && path[end] !== '.' && path[end] !== '[') end++
  return end === start ? undefined : { step: path.slice(start, end), end }
}

function readBrackets(path: string, start: number): Found | undefined {
  if (path[start] !== '[') return undefined
  const quote = path[start + 1]
  if (quote === '"' || quote === "'") return readQuoted(path, start + 2, quote)
  const end = path.indexOf(']', start)
  const digits = path.slice(start + 1, end)
  return end !== -1 && /^\d{1,9}$/.test(digits) ? { step: Number(digits), end: end + 1 } : undefined
}

function readQuoted(path: string, start: number, quote: string): Found | undefined {
  let step = ''
  for (let at = start; at < path.length; at++) {
    if (path[at] === quote) return path[at + 1] === ']' ? { step, end: at + 2 } : undefined
    if (path[at] === '\\') at++
    step += path[at] ?? ''
  }
  return undefined
}
