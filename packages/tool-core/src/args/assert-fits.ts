/** What is wrong with a value as the error of a call, in words for a model. */

import type { Tool } from '../define/tool.ts'
import { ToolError } from '../errors.ts'
import { type Issue, renderIssues, shorten } from '../schema/issue.ts'
import type { ArgumentTag } from './prepare.ts'

const WORDS = {
  invalid_arguments: ({ name }: Tool) => `Invalid arguments for "${name}"`,
  invalid_context: ({ name }: Tool) => `"${name}" cannot run here: a value that the application must provide is missing or wrong`,
  invalid_output: ({ name }: Tool) => `"${name}" returned an output that does not fit its schema`,
}

/** Throws `ToolError` where there are issues. */
export function assertFits(
  issues: readonly Issue[],
  code: keyof typeof WORDS,
  tool: Tool,
  tags: readonly ArgumentTag[] = [],
): void {
  if (issues.length === 0) return
  throw new ToolError(code, `${WORDS[code](tool)}: ${renderIssues(issues)}.${leftOut(tags)}`, { issues })
}

const MAX_LEFT_OUT = 5

/** A misspelt argument is undeclared, and what it was meant for is missing: without this nobody sees why. */
function leftOut(tags: readonly ArgumentTag[]): string {
  const paths = tags.filter(({ tag }) => tag === 'stripped').map(({ path }) => shorten(path, 60))
  if (paths.length === 0) return ''
  const more = paths.length > MAX_LEFT_OUT ? ` and ${paths.length - MAX_LEFT_OUT} more` : ''
  return ` Not declared and left out: ${paths.slice(0, MAX_LEFT_OUT).join(', ')}${more}.`
}
