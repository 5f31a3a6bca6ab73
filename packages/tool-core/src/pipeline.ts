/** The one way from a call's arguments to an output, for tools and actions alike: a stage without work is passed over. */
import { assertApproved } from './approval.ts'
import { assertFits } from './assert-fits.ts'
import { attempt, type Run } from './attempt.ts'
import { checkContext } from './check-context.ts'
import type { CallOptions } from './context.ts'
import { execute } from './execute.ts'
import { toFailure } from './failure.ts'
import type { Issue } from './issue.ts'
import { type ArgumentTag, prepareArgs } from './prepare.ts'
import { reportError, runHook } from './run-hook.ts'
import type { ArgsParser, Tool } from './tool.ts'
import { checkOf, validate } from './validate.ts'

export interface PipelineResult {
  /** As `execute` and the hooks gave it. */
  readonly output: unknown
  readonly tags: readonly ArgumentTag[]
}

/**
 * coerce → beforeValidate → validate → afterValidate → beforeExecute → (approval) → execute → beforeValidateOutput →
 * validate output → afterValidateOutput → afterExecute. `onError` is called once, after retries. Each hook is held to the
 * tool's deadline, as each attempt is. Rejects with `ToolError` only.
 */
export async function runPipeline(tool: Tool, args: object, options: CallOptions): Promise<PipelineResult> {
  const run: Run = { tool, options }
  const { hooks } = tool
  try {
    const prepared = prepareArgs(tool.args, args, tool)
    assertFits(prepared.issues, 'invalid_arguments', tool)
    let ready: unknown = prepared.args
    if (hooks?.beforeValidate) ready = await runHook(run, 'beforeValidate', ready)
    if (tool.parse) ready = await parse(run, ready as object, tool.parse)
    else {
      const issues = issuesOf(tool.args, ready, prepared.args)
      // From the second call on they are there at once, and each wait is a fiftieth of a call.
      assertFits(issues instanceof Promise ? await issues : issues, 'invalid_arguments', tool, prepared.tags)
    }
    if (hooks?.afterValidate) ready = await runHook(run, 'afterValidate', ready)
    if (tool.context !== undefined) assertFits(await checkContext(tool.context, options.values ?? {}), 'invalid_context', tool)
    if (hooks?.beforeExecute) ready = await runHook(run, 'beforeExecute', ready)
    if (tool.needsApproval) await assertApproved(run, ready as object)
    const given = execute(run, ready as object)
    let output = given instanceof Promise ? await given : given
    if (tool.output !== undefined) output = await checkOutput(run, output, tool.output)
    if (hooks?.afterExecute) output = await runHook(run, 'afterExecute', output)
    return { output, tags: prepared.tags }
  } catch (thrown) {
    const error = toFailure(tool, thrown)
    if (hooks?.onError) await reportError(run, error)
    throw error
  }
}

/** A validator of another library: it may wait for something, so it is held to the deadline. */
async function parse(run: Run, args: object, parser: ArgsParser): Promise<object> {
  const parsed = await attempt(run, `the validation of "${run.tool.name}"`, () => parser(args))
  if (parsed.issues === undefined) return parsed.args
  assertFits(parsed.issues, 'invalid_arguments', run.tool)
  return args
}

/** What a hook put in the place of the prepared args is not known to be bounded, so that is looked at as well. */
function issuesOf(schema: object, value: unknown, prepared: object): readonly Issue[] | Promise<readonly Issue[]> {
  if (value !== prepared) return validate(schema, value)
  const check = checkOf(schema)
  return typeof check === 'function' ? check(value) : check.then((compiled) => compiled(value))
}

async function checkOutput(run: Run, output: unknown, schema: object): Promise<unknown> {
  const given = await runHook(run, 'beforeValidateOutput', output)
  assertFits(await validate(schema, given), 'invalid_output', run.tool)
  return runHook(run, 'afterValidateOutput', given)
}
