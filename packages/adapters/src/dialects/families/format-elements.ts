/** Writes calls in tags that are named after their tools. */
import type { WritableCall } from '../definition.ts'
import type { FormatRefusal } from '../dialect.ts'
import { REASONING } from './element-openings.ts'
import { isElementName } from './tool-elements.ts'

/** @param formatArguments Writes each argument on its own lines, after a line break. */
export function formatElements(
  calls: readonly WritableCall[],
  formatArguments: (args: WritableCall['args'], name: string) => string,
): string | FormatRefusal {
  for (const { name, args } of calls) {
    const wrong = [name, ...Object.keys(args)].find((word) => !isElementName(word))
    if (wrong !== undefined)
      return {
        ok: false,
        code: wrong === name ? 'invalid_name' : 'unsayable_value',
        message: `The call to "${name}" cannot be written: ${JSON.stringify(wrong)} is not a valid tag name.`,
      }
    // Reasoning would begin there.
    if (name === REASONING)
      return { ok: false, code: 'invalid_name', message: `A tool in this dialect cannot be named "${REASONING}".` }
  }
  return calls.map(({ name, args }) => `<${name}>${formatArguments(args, name)}\n</${name}>`).join('\n')
}
