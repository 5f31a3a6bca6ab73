/** The workload of the `dialects` bench: a call in a reply that arrives in small deltas. Its arguments must be parsed unchanged. */
import { isSameValue } from '../../conformance/same-value.ts'
import { toDeltas } from '../arguments/arguments-text.ts'
import type { Workload } from '../bench.ts'

export interface StreamedCall {
  readonly dialect: DialectName
  readonly deltas: readonly string[]
  /** The arguments as JSON text, for the baseline. */
  readonly json: string
}

export type DialectName = 'hermes' | 'qwen3_coder'

/** The exports of a subject's module. */
export interface DialectSubject {
  /** Returns the argument text of the only call. */
  read(call: StreamedCall): string | Promise<string>
  /** Parses the arguments and returns their value. Only the baseline has this function. */
  parse?(json: string): unknown
}

/** Creates the workload for a reply with one call, written in the dialect. */
export function openCall(subject: DialectSubject, dialect: DialectName, json: string): Workload {
  const call: StreamedCall = { dialect, json, deltas: toDeltas(WRITERS[dialect](json)) }
  const units = Math.max(1, Math.round(LEAST_READ / json.length))
  return {
    units,
    async verify() {
      const value: unknown = JSON.parse(json)
      const found: unknown = subject.parse === undefined ? JSON.parse(await subject.read(call)) : subject.parse(json)
      if (!isSameValue(found, value))
        throw new Error('The subject did different work: its arguments differ from those of the call.')
    },
    async run() {
      for (let left = units; left > 0; left--) {
        if (subject.parse !== undefined) subject.parse(json)
        else if ((await subject.read(call)).length < json.length / 2)
          throw new Error('The subject did different work: arguments are missing.')
      }
    },
  }
}

/** Minimum number of UTF-16 units per run, large enough to make the overhead negligible. */
const LEAST_READ = 16 * 1024

const WRITERS: Readonly<Record<DialectName, (json: string) => string>> = {
  hermes: (json) => `Let me do it.\n<tool_call>\n{"name": "write_file", "arguments": ${json}}\n</tool_call>`,
  qwen3_coder(json) {
    const parameters = Object.entries(JSON.parse(json) as Record<string, unknown>).map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `<parameter=${key}>\n${text}\n</parameter>`
    })
    return `Let me do it.\n<tool_call>\n<function=write_file>\n${parameters.join('\n')}\n</function>\n</tool_call>`
  },
}

/** Schema of the called tool's arguments. Dialects that don't write types take the types from this schema. */
export const WRITE_FILE = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    content: { type: 'string' },
    overwrite: { type: 'boolean' },
    rows: { type: 'array', items: { type: 'object' } },
  },
} as const
