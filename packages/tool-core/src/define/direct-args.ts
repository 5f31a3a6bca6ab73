/** Fills in the defaults of a direct call, such as `tool.execute({})`. A call from a model gets its defaults during coercion. */

import { ownCopy } from '../args/own-copy.ts'
import { preparationOf } from '../args/preparation.ts'
import { parserOf } from '../schema/parser.ts'
import { defaultedBy } from '../schema/read-schema.ts'

/** Returns the args with missing defaults filled in, or the same object if none are missing. */
export type FillDefaults = (args: object) => object | Promise<object>

/** Returns a function that fills in the defaults of the args' top-level properties. Undefined for a schema without defaults. */
export function defaultsOf(schema: object): FillDefaults | undefined {
  const { defaults } = preparationOf(schema).object
  const constants = Object.fromEntries(defaults.map(({ name, value }) => [name, value]))
  if (parserOf(schema) === undefined)
    return defaults.length === 0 ? undefined : (args) => filled(args, missingFrom(args, Object.keys(constants)), constants)
  const { names, validate } = defaultedBy(schema)
  if (names.length === 0) return undefined
  return (args) => {
    const missing = missingFrom(args, names)
    if (missing.length === 0) return args
    // A default may differ from call to call or be transformed, so only the library can produce it.
    const outcome = validate(args)
    const fill = (result: object) => filled(args, missing, { ...constants, ...(result as { readonly value?: object }).value })
    return outcome instanceof Promise ? outcome.then(fill) : fill(outcome)
  }
}

function missingFrom(args: object, names: readonly string[]): readonly string[] {
  return names.filter((name) => (args as Record<string, unknown>)[name] === undefined)
}

function filled(args: object, missing: readonly string[], defaults: Readonly<Record<string, unknown>>): object {
  const known = missing.filter((name) => Object.hasOwn(defaults, name))
  return known.length === 0 ? args : { ...args, ...Object.fromEntries(known.map((name) => [name, ownCopy(defaults[name])])) }
}
