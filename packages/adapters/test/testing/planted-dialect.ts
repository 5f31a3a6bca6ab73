/** A dialect for tests of the dialect contract, and changes that plant faults in it. */
import type { BlockDefinition, DialectDefinition } from '../../src/dialects/define/definition.ts'
import type { Dialect, DialectReading, ParserOptions, TextParser } from '../../src/dialects/define/dialect.ts'
import { defineDialect } from '../../src/dialects/define/own-dialect.ts'
import { taggedCalls } from '../../src/dialects/families/tagged/tagged-calls.ts'
import type { LMDelta, RawToolCall } from '../../src/protocol/protocol.ts'
import { JSON_FORM } from './planted-readers.ts'

const TAGS = {
  call: { open: '<fn name="', nameEnd: '">', close: '</fn>' },
  parameter: { open: '<arg name="', keyEnd: '">', close: '</arg>' },
}

export function define(change: Partial<DialectDefinition> = {}, json: BlockDefinition = JSON_FORM): Dialect {
  const { blocks, formatCalls } = taggedCalls(TAGS)
  const reasoning = { open: '<think>', close: '</think>' }
  return defineDialect({ name: 'planted', blocks: [...blocks, json], formatCalls, reasoning, ...change })
}

export const base = define()

/** Returns a dialect whose `parse` changes its result, and whose stream collects the same result. */
export function rereading(change: (reading: DialectReading, text: string, options?: ParserOptions) => DialectReading): Dialect {
  return { ...base, parse: (text, options) => change(base.parse(text, options), text, options) }
}

export function restreaming(change: (deltas: readonly LMDelta[]) => readonly LMDelta[], policy: ParserOptions = {}): Dialect {
  const streamParser = (options?: ParserOptions): TextParser => {
    const parser = base.streamParser({ ...options, ...policy })
    return { push: (text) => change(parser.push(text)), end: () => change(parser.end()) }
  }
  return { ...base, streamParser }
}

export const mapCalls = (reading: DialectReading, change: (call: RawToolCall) => RawToolCall): DialectReading => ({
  ...reading,
  toolCalls: reading.toolCalls.map(change),
})
