/** Declares tools to a model: in one line each from their cards, or in full. */
import type { CardArgument, ToolCard } from '@x/registry'
import { declaresWrite, type Tool } from '@x/tool-core'
import { CHANGES, NEEDS_APPROVAL } from '../prompts.ts'
import { oneLine } from './facts.ts'
import { detailedTypeText, memberOf, propertyName, toComment, typeText } from './type-text.ts'

/** Maximum length of all declarations in the description of `run_code`, in characters. That is about 2,000 tokens. */
export const MAX_DECLARATIONS = 8_000
const MAX_DESCRIPTION = 200

/** Returns the declaration of a tool. For a lazy tool, it contains only what the tool's card contains. */
export function declare({ name, description = '', arguments: list, args, output, effect }: ToolCard): string {
  const parameters = args === undefined ? listed(list ?? []) : typeText(args)
  const mark = declaresWrite(effect) ? `[${effect}] ` : ''
  const comment = (mark + oneLine(description, MAX_DESCRIPTION)).trim()
  return signature(name, parameters, output === undefined ? 'any' : typeText(output)) + (comment === '' ? '' : ` // ${comment}`)
}

/** Returns the declaration with comments on the tool and on each argument. */
export function declareInFull({ name, description, args, output, effect, needsApproval = false }: FullCard): string {
  const about = [description, effect === undefined ? '' : CHANGES[effect], needsApproval ? NEEDS_APPROVAL : '']
  const lines = about.filter((text) => text !== '').join('\n')
  return `${toComment(lines)}\n${signature(name, detailedTypeText(args), output === undefined ? 'any' : detailedTypeText(output))}`
}

/** True if the full declaration has facts about the arguments, or a description, that the line lacks. */
export function hasMore({ description = '', args }: ToolCard): boolean {
  return args === undefined || oneLine(description, MAX_DESCRIPTION).endsWith('…') || detailedTypeText(args).includes('/**')
}

type FullCard = Pick<Tool, 'name' | 'description' | 'args' | 'output' | 'effect' | 'needsApproval'>

function signature(name: string, parameters: string, result: string): string {
  return `${memberOf(name)}(${parameters === '{}' ? '' : `args: ${parameters}`}): Promise<${result}>`
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
