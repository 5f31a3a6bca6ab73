/** Declares tools to a model in one line each, from their cards. */
import type { CardArgument, ToolCard } from '@x/registry'
import { memberOf, propertyName, typeText } from './type-text.ts'

/** Maximum length of all declarations in the description of `run_code`, in characters. That is about 2,000 tokens. */
export const MAX_DECLARATIONS = 8_000
const MAX_DESCRIPTION = 200

/** Returns the declaration of a tool. For a lazy tool, it contains only what the tool's card contains. */
export function declare({ name, description = '', arguments: list, args, output }: ToolCard): string {
  const parameters = args === undefined ? listed(list ?? []) : typeText(args)
  const hasArguments = parameters !== '{}'
  const about = description.replace(/\s+/g, ' ').trim()
  const comment = about.length > MAX_DESCRIPTION ? `${about.slice(0, MAX_DESCRIPTION).toWellFormed()}…` : about
  const result = output === undefined ? 'any' : typeText(output)
  return `${memberOf(name)}(${hasArguments ? `args: ${parameters}` : ''}): Promise<${result}>${comment === '' ? '' : ` // ${comment}`}`
}

/** Returns the declarations that fit, in the order of the cards, and whether all of them fit. */
export function declareAll(
  cards: readonly ToolCard[],
  maxLength: number,
): { readonly text: string; readonly isComplete: boolean } {
  const lines: string[] = []
  let left = maxLength
  for (const card of cards) {
    const line = declare(card)
    left -= line.length + 1
    if (left < 0) break
    lines.push(line)
  }
  const missing = cards.length - lines.length
  if (missing > 0) lines.push(`// and ${missing} more: use tools.search`)
  return { text: lines.join('\n') || '// none', isComplete: missing === 0 }
}

function listed(list: readonly (string | CardArgument)[]): string {
  if (list.length === 0) return 'Record<string, unknown>'
  const fields = list.map((argument) => {
    const { name, values = [] } = typeof argument === 'string' ? { name: argument } : argument
    return `${propertyName(name)}?: ${values.length > 0 ? values.map((value) => JSON.stringify(value)).join(' | ') : 'unknown'}`
  })
  return `{ ${fields.join('; ')} }`
}
