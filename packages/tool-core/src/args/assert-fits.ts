/** What is wrong with a value as the error of a call, in words for a model. */
import type { Tool } from '../define/tool.ts'
import { ToolError } from '../errors.ts'
import { type Issue, renderIssues, shorten } from '../schema/issue.ts'
import { validate } from '../schema/validate.ts'
import { type ArgumentTag, prepareArgs } from './prepare.ts'

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

/**
 * The args as the call would take them, after coercion. A tool's own validator is asked too, and what it makes of them is left to the
 * call; hooks belong to a call alone. Rejects with `invalid_arguments`, in the words of the call, and with `invalid_definition` when
 * the schema itself is wrong.
 */
export async function checkArgs(tool: Tool, given: object): Promise<Readonly<Record<string, unknown>>> {
  const { args, issues, tags } = prepareArgs(tool.args, given, tool)
  assertFits(issues, 'invalid_arguments', tool)
  if (tool.parse === undefined) assertFits(await validate(tool.args, args), 'invalid_arguments', tool, tags)
  else assertFits((await tool.parse(args)).issues ?? [], 'invalid_arguments', tool)
  return args
}
