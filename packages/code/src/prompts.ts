/** All texts for the model, and the note for a person who approves a call. */

import { revealHiddenCharacters } from '@x/registry'
import { type Effect, nearestNames } from '@x/tool-core'
import type { ProgramReason } from './errors.ts'
import type { Limits } from './limits.ts'
import type { FailedEnd, FinishedEnd } from './sandbox/protocol.ts'

/** Maximum length of a made-up tool name in texts and records, in characters. */
export const MAX_NAME = 100

export function describeCode(mayHaveTypes: boolean): string {
  const text = 'The program: the body of an async JavaScript function, with `await` and `return`.'
  return mayHaveTypes ? `${text} TypeScript types are allowed.` : text
}

/** `hasSearch`: not all tools are declared. `hasDetails`: `tools.describe` returns more than the declarations contain. */
export function describeTool(declarations: string, { hasSearch, hasDetails }: DeclaredTools): string {
  return [
    'Runs a JavaScript program that calls tools, and returns what the program returns. Use it for several calls, loops, or work on large results: you see only the returned value, the console and notes.',
    'The program is the body of an async function. It has `tools`, `console` and the standard library of JavaScript, but no Intl or locales, URL, TextEncoder, crypto, structuredClone, network, files, timers or modules. The clock does not advance.',
    "Every call returns a promise of the tool's output. Use Promise.all for independent calls. A failed call throws an Error with `code`, `message` and `issues`. A call that needs an approval waits for it.",
    ...(hasSearch ? ['More tools: `await tools.search({ query, limit? })` returns `{ name, declaration }[]`, at most 10.'] : []),
    ...(hasDetails ? ['`await tools.describe({ name })` returns a string with details of a tool and its arguments.'] : []),
    `Tools:\n${declarations}`,
  ].join('\n')
}

interface DeclaredTools {
  readonly hasSearch: boolean
  readonly hasDetails: boolean
}

export const SEARCH_DESCRIPTION = 'Finds tools that a program can call. Returns the name and the declaration of each.'
export const DESCRIBE_DESCRIPTION = 'Returns the full declaration of a tool that a program can call.'

/** Returns the message for an unknown tool, with the nearest of `names`. Truncates the name, because a model made it up. */
export function unknownTool(name: string, names: readonly string[] = []): string {
  const [nearest] = nearestNames(name, names)
  return `There is no tool "${name.slice(0, MAX_NAME)}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`}`
}

/** Sentences of a full declaration, by the effect of the tool. */
export const CHANGES: Readonly<Record<Effect, string>> = {
  read: 'Changes nothing.',
  idempotent: 'Changes data. Repeating a call changes nothing more.',
  write: 'Changes data.',
  destructive: "Changes data. A call can't be undone.",
}
export const NEEDS_APPROVAL = 'A call needs an approval.'

/**
 * Returns the message for the model about a failed program. `hasChanged` is true if a call of the program may have changed something.
 */
export function failureText(reason: ProgramReason, end: Partial<FailedEnd>, limits: Limits, hasChanged: boolean): string {
  const text = causeText(reason, end, limits)
  if (!hasChanged) return text
  return `${text}${/[.!?]$/.test(text) ? '' : '.'} Calls that it had already made are not undone. Don't repeat those that change something.`
}

function causeText(reason: ProgramReason, end: Partial<FailedEnd>, limits: Limits): string {
  const { message, line, column, code, stack, length, unhandled } = end
  switch (reason) {
    case 'syntax_error':
      return `The program is not valid JavaScript${line === undefined ? '' : `, line ${line}, column ${column}`}: ${message}. Nothing was run. Write the body of an async function: no import, export, enclosing function or Markdown.`
    case 'program_failed':
      return `The program failed${lineOf(stack)}: ${message}${code == null || message?.includes(code) ? '' : ` (${code})`}`
    case 'never_ends':
      return (
        'The program awaits a promise that never settles: no call is pending. There are no timers. Return a value, or await only tool calls.' +
        (unhandled === undefined ? '' : ` ${unhandledText(unhandled, end.firstUnhandled)}`)
      )
    case 'time_limit':
      return `The program was stopped, because it computed for longer than ${limits.timeMs} ms. Do less in one program.`
    case 'memory_limit':
      return `The program was stopped, because it used more than ${Math.floor(limits.memoryBytes / 1024 / 1024)} MiB of memory. Keep less data at the same time.`
    case 'too_many_calls':
      return `The program was stopped, because it made more than ${limits.calls} calls. Use several programs.`
    case 'output_too_large':
      return `The result has ${length} characters. The limit is ${limits.outputLength}. Return less, such as a summary or a count.`
    case 'program_too_long':
      return `The program has ${length} characters. The limit is ${limits.codeLength}. Nothing was run. Write a shorter program.`
    case 'sandbox_failed':
      return 'The sandbox crashed while it ran the program. Write the program in a simpler way.'
  }
}

/** Returns the line of the program that comes first in the stack, as part of a sentence. Empty if the stack contains none. */
function lineOf(stack: string | null | undefined): string {
  const line = /program\.js:(\d{1,6})/.exec(stack ?? '')?.[1]
  return line === undefined ? '' : ` in line ${line}`
}

export function withConsole(text: string, log: string): string {
  return log === '' ? text : `${text}\nConsole:\n${log}`
}

/**
 * Returns the note about the end of a program that returned. `open` are the tools of calls whose results it didn't get, and `refused` those
 * of calls that weren't made. Neutral, because a program may leave calls on purpose, as with Promise.race.
 */
export function endNote(end: FinishedEnd, open: readonly string[], refused: readonly RefusedCall[]): string {
  const { isEmpty = false, late = 0, lateNames = [], unhandled = 0, firstUnhandled } = end
  const notes: string[] = []
  if (isEmpty) notes.push('The program returned nothing. End it with `return`.')
  if (open.length > 0)
    notes.push(
      `The program ended without the ${resultsOf(open)}. Such calls still run, but their outcomes are not shown, and code that awaits them does not continue.`,
    )
  if (refused.length > 0)
    notes.push(
      `The program ended without the ${resultsOf(refused.map(({ tool }) => tool))}, which did not run: ${refused[0]?.message}`,
    )
  if (late > 0) notes.push(`${callsTo(late, lateNames)} came after the end of the program and did not run.`)
  if (unhandled > 0) notes.push(unhandledText(unhandled, firstUnhandled))
  return notes.join(' ')
}

interface RefusedCall {
  readonly tool: string
  readonly message: string
}

function unhandledText(count: number, first: string | undefined): string {
  return `${count === 1 ? '1 error was' : `${count} errors were`} not handled: ${first}`
}

function resultsOf(names: readonly string[]): string {
  return `${names.length === 1 ? 'result' : 'results'} of ${callsTo(names.length, names)}`
}

function callsTo(count: number, names: readonly string[]): string {
  const all = [...new Set(names)]
  const shown = all.slice(0, MAX_NAMES).join(', ')
  return `${count} ${count === 1 ? 'call' : 'calls'} (${shown}${all.length > MAX_NAMES ? ', …' : ''})`
}

const MAX_NAMES = 10

export const LOG_CUT = '… (the rest of the console output is omitted)\n'

/** An argument that shares text with untrusted results. */
export interface FlowLine {
  readonly path: string
  /** True if the name of the argument is shared, not its value. */
  readonly isName: boolean
  /** The longest shared pieces, each with the tool that returned it. */
  readonly pieces: readonly { readonly text: string; readonly from: string; readonly isCut: boolean }[]
  /** Number of other pieces. */
  readonly more: number
}

export interface SharedText {
  readonly lines: readonly FlowLine[]
  /** Number of other arguments that share text. */
  readonly more: number
  /** True if not all text was compared. */
  readonly isPartial: boolean
}

/** Returns the note for the person who approves a call that may pass on text from strangers. */
export function flowText(name: string, sources: readonly string[], { lines, more, isPartial }: SharedText): string {
  const head = `"${name}" is called after the program has received results of ${sources.map((source) => `"${source}"`).join(', ')}, which may contain instructions from strangers.`
  const limit = isPartial ? ' The text is too long to be compared completely.' : ''
  if (lines.length === 0)
    return `${head} No text in the arguments was found in these results, but the arguments may depend on them.${limit}`
  const rest = more === 0 ? [] : [`- and ${more} more arguments`]
  return [`${head}${limit} Text in the arguments that also occurs in these results:`, ...lines.map(toLine), ...rest].join('\n')
}

function toLine({ path, isName, pieces, more }: FlowLine): string {
  const texts = pieces.map(({ text, isCut }) => `${JSON.stringify(text)}${isCut ? '…' : ''}`).join(', ')
  const sources = [...new Set(pieces.map(({ from }) => `"${from}"`))].join(', ')
  const line = `- ${path}${isName ? ' (its name)' : ''}: ${texts}${more === 0 ? '' : ` and ${more} more`} (from ${sources})`
  return revealHiddenCharacters(line)
}

// What differs in a resumed program. Each follows the words "its resumed execution differs from the earlier one".

export const START_CHANGED = 'the record of its start has changed'
export const CODE_CHANGED = 'the text of the program has changed since it started'

export function unavailable(name: string): string {
  return `The tool "${name}" could not be loaded and was not run. Continue without it.`
}
