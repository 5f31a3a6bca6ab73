/** The strings that the server stores. Each is a JSON object that contains a value, so that undefined can be represented. */

import { createHash } from 'node:crypto'
import type { Serde } from '@restatedev/restate-sdk'
import { toFailure } from '../engine/failure.ts'
import { toJsonText } from '../engine/json-text.ts'
import { anotherProgram } from '../engine/run-errors.ts'
import type { RunFailure } from '../errors.ts'

/** Converts an input to its stored string. Throws `invalid_value` for anything but plain data. */
export function toInputText(input: unknown): string {
  return around('input', toJsonText(input, 'The input of the run'))
}

export function readInput(text: string): unknown {
  return (JSON.parse(text) as { readonly input?: unknown }).input
}

/** Converts an output to its stored string. Throws `invalid_value` for anything but plain data. */
export function toOutputText(output: unknown): string {
  return around('output', toJsonText(output, 'The output of the run'))
}

export function readOutput(text: string): unknown {
  return (JSON.parse(text) as { readonly output?: unknown }).output
}

/** Converts a decision to its stored string. Throws `invalid_value` for anything but plain data. */
export function toDecisionText(name: string, value: unknown): string {
  return around('value', toJsonText(value, `The decision for ${JSON.stringify(name)}`))
}

export function readDecision(text: string): unknown {
  return (JSON.parse(text) as { readonly value?: unknown }).value
}

/** Returns the idempotency key of a decision. The server ignores a second decision with the same key. */
export function decisionKey(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}

/** Returns the request body that records a decision. */
export function toNamedDecision(name: string, decision: string): string {
  return JSON.stringify({ name, decision })
}

export function readNamedDecision(text: string): { readonly name: string; readonly decision: string } {
  return JSON.parse(text) as { readonly name: string; readonly decision: string }
}

/** State key for the decisions that a run waits for. */
export const WAITS_FOR = 'waitsFor'

/** Metadata key for the failure in the error that the server stores. */
export const FAILURE_KEY = 'failure'

/** Parses a failure. Returns undefined if the text isn't one. */
export function readFailure(text: string | undefined): RunFailure | undefined {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as RunFailure
  } catch {
    return undefined
  }
}

/** Converts the reason why a run is held to the message that the server stores. */
export function toReason({ name, message, code }: RunFailure): string {
  return `${name}${code === undefined ? '' : ` (${code})`}: ${message}`
}

/**
 * Parses the message with which a run was paused. If the program requested another kind of record, the server wrote the message.
 */
export function readReason(words = 'The run was paused by an operator.'): RunFailure {
  const [, name, code, message] = /^(\w+)(?: \((\w+)\))?: ([\s\S]*)$/.exec(words) ?? []
  if (name !== undefined && message !== undefined) return { name, message, ...(code === undefined ? {} : { code }) }
  return toFailure(/mismatch/i.test(words) ? anotherProgram(words) : { name: 'Error', message: words })
}

function around(key: string, json: string | undefined): string {
  return json === undefined ? '{}' : `{"${key}":${json}}`
}

/** A serializer that passes strings to the server unchanged. */
export const textSerde: Serde<string> = {
  contentType: 'application/json',
  serialize: (text) => new TextEncoder().encode(text),
  deserialize: (bytes) => new TextDecoder().decode(bytes),
}
