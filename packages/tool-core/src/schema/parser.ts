/** The validator of a schema that was converted from another library. */
import type { Issue } from './issue.ts'

/** Validates args. Returns the validated args or the issues. */
export type ArgsParser = (args: object) => ParsedArgs | Promise<ParsedArgs>

export type ParsedArgs = { readonly args: object; readonly issues?: undefined } | { readonly issues: readonly Issue[] }

/** Property that holds the validator of a converted schema's library. */
export const PARSER: unique symbol = Symbol.for('@x/tool-core/parser') as never

/** Returns the validator of a converted schema. Undefined for a JSON Schema, which AJV validates. */
export function parserOf(schema: object): ArgsParser | undefined {
  return (schema as { readonly [PARSER]?: ArgsParser })[PARSER]
}
