/** Fields of a signature as the args of a tool. */
import { fieldKind } from '@x/adapters'
import { coerceValue, type Issue, parserOf, segmentsOf, validate } from '@x/tool-core'
import type { TObject } from 'typebox'

/** Returns the schema, or a schema that also runs the validators of fields from other libraries. */
export function withFieldValidators(schema: object, fields: object): TObject {
  const foreign = Object.entries(fields).filter(([, field]) => fieldKind(field) === 'value' && parserOf(field) !== undefined)
  if (foreign.length === 0) return schema as TObject
  const check = async (given: unknown) => {
    const { value } = coerceValue(schema, given)
    const issues = (await validate(schema, value)).map((issue) => within([], issue))
    for (const [name, field] of issues.length > 0 ? [] : foreign) {
      const member = (value as Record<string, unknown>)[name]
      if (member !== undefined) issues.push(...(await validate(field, member)).map((issue) => within([name], issue)))
    }
    return issues.length > 0 ? { issues } : { value }
  }
  const validator = { version: 1, vendor: '@x/react-agent', validate: check, jsonSchema: { input: () => schema } }
  return { '~standard': validator } as unknown as TObject
}

function within(place: readonly string[], { path, message }: Issue) {
  return { path: [...place, ...segmentsOf(path)], message }
}
