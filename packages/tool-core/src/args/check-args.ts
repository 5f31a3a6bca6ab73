/** The arguments of a call against the schema of its tool, as the call checks them, with nothing run. */

import type { Tool } from '../define/tool.ts'
import { validate } from '../schema/validate.ts'
import { assertFits } from './assert-fits.ts'
import { prepareArgs } from './prepare.ts'

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
