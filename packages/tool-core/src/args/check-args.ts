/** Validates arguments and reports the issues as a `ToolError`. */
import type { Tool } from '../define/tool.ts'
import { ToolError, wrongArguments } from '../errors.ts'
import { CARRIED_OUT, ISSUES_OF, undeclaredText } from '../prompts.ts'
import { type Issue, renderIssues, shorten } from '../schema/issue.ts'
import { validate } from '../schema/validate.ts'
import { type ArgumentTag, coerceArgs } from './coerce.ts'

/**
 * Validates arguments without calling the tool, and returns them after coercion. If the schema comes from another library, that library's
 * validator runs too, but its transformed output is discarded. Hooks don't run. Rejects with the same `invalid_arguments` error as a call,
 * or with `invalid_definition` if the schema itself is invalid.
 */
export async function checkArgs(tool: Tool, given: object): Promise<Readonly<Record<string, unknown>>> {
  const { args, issues, tags } = coerceArgs(tool.args, given, tool)
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
  const note = code === 'invalid_output' ? CARRIED_OUT : undeclaredText(stripped)
  const message = `${ISSUES_OF[code](tool.name)}: ${renderIssues(issues)}.${note}`
  throw code === 'invalid_arguments' ? wrongArguments(message, issues) : new ToolError(code, message, { issues })
}
