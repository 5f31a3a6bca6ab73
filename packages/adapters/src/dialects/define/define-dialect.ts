/** Builds a dialect from its definition: markers, readers for the blocks between them, and a writer for calls. */

import type { ToolSpec } from '@x/tool-core'
import type { Observation } from '../../adapters/adapter.ts'
import { DeltaCollector } from '../../protocol/collect.ts'
import { type Marker, MarkerSet, textsOf } from '../engine/marker.ts'
import { TextMachine } from '../engine/text-machine.ts'
import type { DialectDefinition } from './definition.ts'
import type { Dialect, DialectPolicy, ParserOptions } from './dialect.ts'
import { toHarmlessTool, tokenEscape } from './escape-tokens.ts'
import { findMisread, formatRawCalls, formatWritable } from './format-calls.ts'
import { PartsOfDialect } from './parts-of-dialect.ts'
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

/** A dialect whose models have known control tokens. */
interface FamilyDialect extends DialectDefinition {
  readonly controlTokens: readonly string[]
}

/** Like the public `defineDialect`, but without a default for the control tokens. */
export function defineDialect(definition: FamilyDialect): Dialect {
  assertDistinct(definition)
  const { name, results, reasoning } = definition
  const own = Object.freeze({ ...POLICY, ...definition.policy })
  const parts = new PartsOfDialect(definition)
  const ofResults = definition.formatResult === undefined ? RESULT_FRAME : []
  const controlTokens = Object.freeze([...new Set([...definition.controlTokens, ...ofResults])])
  const withoutTokens = tokenEscape(controlTokens)
  const withoutMarkers = markerEscape(definition)
  const toHarmless = (text: string) => withoutMarkers(withoutTokens(text))
  const ofTools = tokenEscape([...controlTokens, ...TOOLS_FRAME])
  const toShown = (tools: readonly ToolSpec[]) => tools.map((tool) => toHarmlessTool(tool, ofTools))
  const toResult = (given: Observation): string => {
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
    if (results === 'escape-if-read' && isText(dialect, shown) && isText(dialect, shown, EAGER)) return plain
    return toResultText(observation, toHarmless)
  }
  const dialect: Dialect = {
    name,
    models: definition.models,
    tunes: definition.tunes,
    policy: own,
    controlTokens,
    reasoning: reasoning && { open: spellingsOf(reasoning.open), close: spellingsOf(reasoning.close) },
    formatTools(given) {
      const tools = toShown(given)
      return definition.formatTools?.(tools) ?? describeTools(tools, (call) => formatWritable(definition, [call]))
    },
    formatMoreTools(given) {
      const tools = toShown(given)
      return definition.formatMoreTools?.(tools) ?? `You can also call these tools:\n${listTools(tools)}`
    },
    formatCall: (call, options) => dialect.formatCalls([call], options),
    formatCalls(calls, { tools } = {}) {
      const formatted = formatRawCalls(definition, calls)
      return (formatted.ok && tools && findMisread(dialect, formatted.text, calls, tools)) || formatted
    },
    formatResult: toResult,
    formatUserText: withoutTokens,
    streamParser(options = {}) {
      const policy = toPolicy(own, options)
      return new TextMachine(parts.of(policy.callInFence, options.tools), policy, options)
    },
    parse(text, options) {
      const parser = dialect.streamParser(options)
      const collector = new DeltaCollector()
      for (const delta of parser.push(text)) collector.push(delta)
      for (const delta of parser.end()) collector.push(delta)
      const { text: prose, toolCalls, reasoning, malformedCalls } = collector.response()
      return { text: prose.trim(), toolCalls, ...(reasoning && { reasoning }), ...(malformedCalls && { malformedCalls }) }
    },
  }
  return dialect
}

/** Throws if two open markers are equal. */
function assertDistinct({ name, blocks, reasoning, ignored, end }: DialectDefinition): void {
  const seen = new Set<string>()
  for (const marker of [...blocks.map(({ open }) => open), reasoning?.open ?? [], ignored ?? [], end ?? []]) {
    for (const text of new Set(spellingsOf(marker))) {
      if (seen.has(text))
        throw new TypeError(
          `The dialect "${name}" uses ${JSON.stringify(text)} more than once among block.open, reasoning.open, ignored and end. Only one would match; remove the other.`,
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
  return asked.length === 0 ? own : { ...own, ...Object.fromEntries(asked.map((key) => [key, options[key]])) }
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
function markerEscape({ blocks, reasoning, ignored, end }: DialectDefinition): (text: string) => string {
  const marked = blocks.filter(({ isUnmarked }) => !isUnmarked)
  const all = [...marked.flatMap(({ open, inside }) => [open, inside]), reasoning?.open, reasoning?.close, ignored, end]
  const given = all.filter((marker): marker is Marker => marker !== undefined)
  const markers = new MarkerSet(Object.fromEntries(given.map((marker, index) => [index, marker])))
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
