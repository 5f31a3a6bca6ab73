/** Creates refusals of calls that the dialect would parse differently. */
import type { FormatRefusal } from './dialect.ts'

/** Refuses a tool name. `fault` completes a sentence that starts with "it", for example "is empty". */
export function refuseName(name: string, fault: string): FormatRefusal {
  const message = `The tool name ${JSON.stringify(name)} doesn't survive a round trip in this dialect: it ${fault}. Rename the tool.`
  return { ok: false, code: 'invalid_name', message }
}

/** Refuses a parameter name. `fault` completes a sentence that starts with "it", for example "contains a tag". */
export function refuseParameter(tool: string, key: string, fault: string): FormatRefusal {
  const message = `The parameter name ${JSON.stringify(key)} of "${tool}" doesn't survive a round trip in this dialect: it ${fault}. Rename the parameter.`
  return { ok: false, code: 'unrepresentable_value', message }
}

/** Refuses a value. `what` describes the value in the message: `the argument "city"`. */
export function refuseValue(tool: string, what: string, parsedAs: 'a tag' | 'a delimiter'): FormatRefusal {
  const message = `The call to "${tool}" cannot be written: ${what} contains text that this dialect would parse as ${parsedAs}. Use a dialect that writes arguments as JSON.`
  return { ok: false, code: 'unrepresentable_value', message }
}
