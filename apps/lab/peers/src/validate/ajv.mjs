/** Bare AJV: a compiled check, then the tool, without a copy or a deadline. */
import { Ajv } from 'ajv'

/** Configured to report all errors at once, like the other subjects. */
export function defineOrder(definition) {
  return toTool(new Ajv({ allErrors: true }), definition)
}

/** Compiles all tools in advance, with one instance and its default options. */
export function defineMany(definitions) {
  const ajv = new Ajv()
  return definitions.map((definition) => toTool(ajv, definition))
}

function toTool(ajv, { parameters, execute }) {
  const check = ajv.compile(parameters())
  return {
    async call(args) {
      if (!check(args)) return { ok: false, error: { message: ajv.errorsText(check.errors) } }
      return { ok: true, output: await execute(args) }
    },
  }
}
