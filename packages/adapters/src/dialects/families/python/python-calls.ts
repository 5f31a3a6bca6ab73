/** Reads calls in Python syntax: `f(a=1, b="x"), g()`, with or without the brackets of a list. */
import { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext } from '../../engine/block.ts'
import type { MarkerSet } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'
import { type LiteralOptions, readLiteral, takeUnit } from './python-literal.ts'
import { literalOf, type ParameterOptions, readParameters } from './python-parameters.ts'
import { isQuote, readPythonString } from './python-string.ts'

export interface PythonCallsOptions extends ParameterOptions {
  /** True if the list is within prose, where a word and a parenthesis aren't always a call. */
  readonly isInProse?: boolean | undefined
  /** The marker after the calls, which isn't consumed. */
  readonly close?: MarkerSet | undefined
}

/**
 * How reading the calls ended. `done`: the closing bracket was consumed. `open`: there is none. `none`: the text isn't a call.
 * `cut`: the text ended inside a call. `broken`: a call is malformed. The last call is left open; `calls.isWhole` is true if it
 * is complete.
 */
export type PythonOutcome = 'done' | 'open' | 'none' | 'cut' | 'broken'

/** Reads calls up to and including the closing bracket of the list, or up to the end of the block or text. */
export function* readPythonCalls(context: BlockContext, options: PythonCallsOptions): Reading<PythonOutcome> {
  const { input, calls } = context
  yield* input.skipSpace()
  if ((yield* input.peek()) === '') return cutOrNone(context, options, '')
  for (let gap = ','; ; ) {
    if (yield* takeUnit(input, ']')) return 'done'
    if ((yield* input.peek()) === '' || (yield* isClosing(context, options))) return 'open'
    if (!gap.includes(',') && !gap.includes('\n') && (options.isInProse || gap === '')) return 'broken'
    if (calls.isOpen) {
      // Completes the call, so that text after it can't invalidate it.
      calls.end()
      input.mark()
    }
    const outcome = yield* readCall(context, options)
    if (outcome !== 'done') return outcome
    gap = yield* input.takeWhile(isGap)
  }
}

function* isClosing({ input }: BlockContext, { close }: PythonCallsOptions): Reading<boolean> {
  return close !== undefined && (yield* input.peek(close)) !== undefined
}

function isGap(code: number): boolean {
  return code <= 0x20 || code === 0x2c || code === 0x3b
}

function* readCall(context: BlockContext, options: PythonCallsOptions): Reading<PythonOutcome> {
  const { input, tools, policy } = context
  const name = yield* readName(context, options)
  if ((yield* input.peek()) !== '(' || name === '') {
    return input.isAtEnd ? cutOrNone(context, options, name) : 'none'
  }
  // In prose, a name that starts with a dot is a method name.
  if (options.isInProse && name.startsWith('.')) return 'none'
  if (policy.unknownTool === 'text' && !tools.has(name)) return 'none'
  input.at++
  let writer: ArgumentsWriter | undefined
  let isRepaired = false
  const onRepaired = () => {
    isRepaired = true
  }
  const repaired = { ...options, onRepaired }
  const literal = literalOf(repaired)
  const isRead = yield* readParameters(input, repaired, (key) => {
    // In prose, `[f(x)]` may not be a call, so the first argument must have a name.
    writer ??= new ArgumentsWriter(context, name)
    return readArgument(input, literal, writer, key)
  })
  if (isRead) {
    writer ??= new ArgumentsWriter(context, name)
    writer.end()
    if (isRepaired) context.calls.tag('repaired')
    return 'done'
  }
  if (writer === undefined && options.isInProse && (tools.isOpen || !tools.has(name))) return 'none'
  return input.isAtEnd ? 'cut' : 'broken'
}

/** Maximum length of a name, in UTF-16 units. */
const LONGEST = 256

/** Reads a name. In prose, a name may contain spaces only if a tool has that name. */
function* readName({ input, tools }: BlockContext, { isInProse }: PythonCallsOptions): Reading<string> {
  if (!isInProse) return (yield* input.takeWhile((code) => code === 0x20 || isNameUnit(code), LONGEST)).trim()
  let name = ''
  for (;;) {
    name += yield* input.takeWhile(isNameUnit, LONGEST)
    if ((yield* input.peek()) !== ' ' || !tools.names.some((other) => other.startsWith(`${name} `))) return name
    input.at++
    name += ' '
  }
}

function isNameUnit(code: number): boolean {
  return code > 0x20 && !'()[]{}"\'`=,;<>'.includes(String.fromCharCode(code))
}

/** Returns true if the name would be parsed back unchanged. */
export function isPythonName(name: string): boolean {
  return (
    name !== '' &&
    name.length < LONGEST &&
    name.trim() === name &&
    [...name].every((unit) => unit === ' ' || isNameUnit(unit.charCodeAt(0)))
  )
}

/** Returns the outcome at the end of the text. In prose, it is `cut` only if the name may become a tool's name. */
function cutOrNone({ tools }: BlockContext, { isInProse }: PythonCallsOptions, name: string): PythonOutcome {
  return !isInProse || tools.names.some((other) => other.startsWith(name)) ? 'cut' : 'none'
}

function* readArgument(input: TextInput, literal: LiteralOptions, writer: ArgumentsWriter, key: string): Reading<boolean> {
  yield* input.skipSpace()
  if (isQuote(yield* input.peek())) {
    writer.beginText(key)
    if (!(yield* readPythonString(input, '', (text) => writer.text(text)))) return false
    writer.endText()
    return true
  }
  const json = yield* readLiteral(input, literal)
  if (json !== undefined) writer.json(key, json)
  return json !== undefined
}
