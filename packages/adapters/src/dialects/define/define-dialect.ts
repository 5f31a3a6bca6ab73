/** Builds a dialect from its definition: markers, readers for the blocks between them, and a writer for calls. */

import type { ToolSpec } from '@x/tool-core'
import { DeltaCollector } from '../../protocol/collect.ts'
import { type Marker, MarkerSet, textsOf } from '../engine/marker.ts'
import { TextMachine } from '../engine/text-machine.ts'
import type { DialectDefinition, ReasoningDefinition } from './definition.ts'
import type { Dialect, DialectPolicy, ParserOptions } from './dialect.ts'
import { type Escape, toHarmlessTool, tokenEscape } from './escape-tokens.ts'
import { findMisread, formatRawCalls, formatWritable } from './format-calls.ts'
import { opensOf, PartsOfDialect } from './parts-of-dialect.ts'
import { describeTools, listTools, RESULT_FRAME, TOOLS_FRAME, toResultText } from './prompt.ts'

const POLICY: DialectPolicy = {
  unknownTool: 'call',
  unfinished: 'whole',
  textAfterCalls: 'keep',
  malformedBlock: 'text-unless-cut',
  callInReasoning: 'unless-closed',
  missingArguments: 'empty',
  repeatedParameter: 'malformed',
  callInFence: 'text',
  quotedCall: 'text',
}

/** The markers of reasoning that most models use. */
export const THINK_TAGS: ReasoningDefinition = { open: '<think>', close: '</think>' }

/** A dialect whose models have known control tokens. */
export interface FamilyDialect extends DialectDefinition {
  readonly controlTokens: readonly string[]
}

/** What a dialect is found by. */
export type DialectNames = Pick<DialectDefinition, 'name' | 'models' | 'tunes'>

/**
 * Defines a dialect of this package. It is made when a program uses it, because a program that imports all of them uses few, and their
 * markers take most of the time of the import.
 */
export function lazyDialect(names: DialectNames, define: () => Omit<FamilyDialect, keyof DialectNames>): Dialect {
  let made: Made | undefined
  return toDialect(names, () => (made ??= makeOf({ ...names, ...define() })))
}

/** What a definition is made into. */
interface Made extends Pick<Dialect, 'policy' | 'controlTokens' | 'reasoning'> {
  readonly definition: FamilyDialect
  readonly parts: PartsOfDialect
  readonly withoutTokens: Escape
  readonly toHarmless: Escape
  readonly toShown: (tools: readonly ToolSpec[]) => readonly ToolSpec[]
}

export function makeOf(definition: FamilyDialect): Made {
  assertDistinct(definition)
  const { reasoning } = definition
  const ofResults = definition.formatResult === undefined ? RESULT_FRAME : []
  const controlTokens = Object.freeze([...new Set([...definition.controlTokens, ...ofResults])])
  const withoutTokens = tokenEscape(controlTokens)
  const withoutMarkers = markerEscape(definition)
  const ofTools = tokenEscape([...controlTokens, ...TOOLS_FRAME])
  return {
    definition,
    parts: new PartsOfDialect(definition),
    policy: Object.freeze({ ...POLICY, ...definition.policy }),
    controlTokens,
    reasoning: reasoning && { open: spellingsOf(reasoning.open), close: spellingsOf(reasoning.close) },
    withoutTokens,
    toHarmless: (text) => withoutMarkers(withoutTokens(text)),
    toShown: (tools) => tools.map((tool) => toHarmlessTool(tool, ofTools)),
  }
}

export function toDialect(names: DialectNames, made: () => Made): Dialect {
  const dialect: Dialect = {
    ...names,
    get policy() {
      return made().policy
    },
    get controlTokens() {
      return made().controlTokens
    },
    get reasoning() {
      return made().reasoning
    },
    formatTools(given) {
      const { definition, toShown } = made()
      const tools = toShown(given)
      return definition.formatTools?.(tools) ?? describeTools(tools, (call) => formatWritable(definition, [call]))
    },
    formatMoreTools(given) {
      const { definition, toShown } = made()
      const tools = toShown(given)
      return definition.formatMoreTools?.(tools) ?? `You can also call these tools:\n${listTools(tools)}`
    },
    formatCall: (call, options) => dialect.formatCalls([call], options),
    formatCalls(calls, { tools } = {}) {
      const formatted = formatRawCalls(made().definition, calls)
      return (formatted.ok && tools && findMisread(dialect, formatted.text, calls, tools)) || formatted
    },
    formatResult(given) {
      const { definition, withoutTokens, toHarmless } = made()
      const observation = {
        ...given,
        callId: withoutTokens(given.callId),
        name: withoutTokens(given.name),
        text: withoutTokens(given.text),
      }
      const written = definition.formatResult?.(observation, toHarmless)
      if (written !== undefined) return written
      const plain = toResultText(observation)
      // Checked without the `<tool_response>` tags, which the dialect would remove as an invented result.
      const shown = plain.replaceAll('tool_response>', 'result>')
      if (definition.results === 'escape-if-read' && isText(dialect, shown) && isText(dialect, shown, EAGER)) return plain
      return toResultText(observation, toHarmless)
    },
    formatUserText: (text) => made().withoutTokens(text),
    streamParser(options = {}) {
      const { policy: own, parts } = made()
      const policy = toPolicy(own, options)
      return new TextMachine(parts.of(policy.callInFence, options.tools), policy, options)
    },
    parse(text, options) {
      const parser = dialect.streamParser(options)
      const collector = new DeltaCollector()
      for (const delta of [...parser.push(text), ...parser.end()]) collector.push(delta)
      const { text: prose, toolCalls, reasoning, malformedCalls } = collector.response()
      return { text: prose.trim(), toolCalls, ...(reasoning && { reasoning }), ...(malformedCalls && { malformedCalls }) }
    },
  }
  return dialect
}

/** Throws if two open markers are equal. */
function assertDistinct(definition: DialectDefinition): void {
  const seen = new Set<string>()
  for (const marker of opensOf(definition)) {
    for (const text of new Set(spellingsOf(marker))) {
      if (seen.has(text))
        throw new TypeError(
          `The dialect "${definition.name}" uses ${JSON.stringify(text)} more than once among block.open, reasoning.open, ignored and end. Only one would match; remove the other.`,
        )
      seen.add(text)
    }
  }
}

/** Returns the spellings of a marker, without optional white space. */
function spellingsOf(marker: Marker): readonly string[] {
  return textsOf(marker).map((text) => (typeof text === 'string' ? text : text.loose.replaceAll(' ', '')))
}

/** Merges options into the dialect's policy. Undefined options are ignored. */
function toPolicy(own: DialectPolicy, options: ParserOptions): DialectPolicy {
  const asked = (Object.keys(POLICY) as (keyof DialectPolicy)[]).filter((key) => options[key] !== undefined)
  return { ...own, ...Object.fromEntries(asked.map((key) => [key, options[key]])) }
}

/** A policy that accepts more calls than the default one. */
const EAGER: ParserOptions = { callInFence: 'call', callInReasoning: 'call', quotedCall: 'call' }

/** Returns true if the dialect reads the text as plain text, without any call or reasoning. */
function isText(dialect: Dialect, text: string, options?: ParserOptions): boolean {
  const { text: prose, toolCalls, malformedCalls, reasoning } = dialect.parse(text, options)
  return prose === text && toolCalls.length === 0 && malformedCalls === undefined && reasoning === undefined
}

/**
 * Returns a function that escapes markers in text that the model didn't write. It replaces the first character of each marker
 * with a character reference.
 */
function markerEscape({ blocks, reasoning, ignored, end }: DialectDefinition): Escape {
  const marked = blocks.filter(({ isUnmarked }) => !isUnmarked)
  const all = [...marked.flatMap(({ open, inside }) => [open, inside]), reasoning?.open, reasoning?.close, ignored, end]
  const markers = new MarkerSet({ marker: all.flatMap((marker) => marker ?? []) })
  return (text) => {
    let escaped = ''
    let at = 0
    for (let found = markers.find(text, 0, true); found !== undefined; found = markers.find(text, at, true)) {
      escaped += `${text.slice(at, found.start)}&#${text.charCodeAt(found.start)};`
      at = found.start + 1
    }
    return escaped + text.slice(at)
  }
}
