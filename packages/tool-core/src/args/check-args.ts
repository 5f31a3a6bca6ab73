/** Validates args, and converts issues to the error of a call. */
import type { Tool } from '../define/tool.ts'
import { ToolError } from '../errors.ts'
import { ISSUES_OF, undeclaredText } from '../prompts.ts'
import { type Issue, renderIssues, shorten } from '../schema/issue.ts'
import { validate } from '../schema/validate.ts'
import { type ArgumentTag, prepareArgs } from './prepare.ts'

/**
 * Validates args without a call, and returns the coerced args. Another library's validator runs too, but its transformations aren't
 * returned, and hooks don't run. Rejects with `invalid_arguments` and the same message as a call, or with `invalid_definition` if the
 * schema itself is invalid.
 */
export async function checkArgs(tool: Tool, given: object): Promise<Readonly<Record<string, unknown>>> {
  const { args, issues, tags } = prepareArgs(tool.args, given, tool)
  assertFits(issues, 'invalid_arguments', tool)
  if (tool.parse === undefined) assertFits(await validate(tool.args, args), 'invalid_arguments', tool, tags)
  else assertFits((await tool.parse(args)).issues ?? [], 'invalid_arguments', tool, tags)
  return args
}

/** Throws a `ToolError` if there are issues. */
export function assertFits(
  issues: readonly Issue[],
  code: keyof typeof ISSUES_OF,
  tool: Tool,
  tags: readonly ArgumentTag[] = [],
): void {
  if (issues.length === 0) return
  const stripped = tags.filter(({ tag }) => tag === 'stripped').map(({ path }) => shorten(path, 60))
  throw new ToolError(code, `${ISSUES_OF[code](tool.name)}: ${renderIssues(issues)}.${undeclaredText(stripped)}`, { issues })
}
