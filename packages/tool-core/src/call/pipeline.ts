/** Runs the stages of a call, from arguments to output, for tools and actions. Skips stages that the tool doesn't use. */
import { assertFits } from '../args/check-args.ts'
import { type ArgumentTag, type CoercedArgs, coerceArgs } from '../args/coerce.ts'
import { checkContext } from '../define/context.ts'
import { isInputRequired } from '../define/input.ts'
import type { ToolError } from '../errors.ts'
import { boundOutput } from '../output/output.ts'
import { type ArgsParser, parserOf } from '../schema/parser.ts'
import { pointerSegment } from '../schema/pointer.ts'
import { filledIn } from '../schema/read-schema.ts'
import { checkOf, validate } from '../schema/validate.ts'
import { isEqual } from '../schema/validators/equal.ts'
import { attempt, type Invocation } from './attempt.ts'
import { execute } from './execute.ts'
import { toFailure } from './failure.ts'
import { reportError, runHook } from './run-hook.ts'

/** The prepared arguments of a call. */
export interface PreparedArgs {
  /** The args with which the tool is executed. */
  readonly args: object
  /** The args to show to an approver. */
  readonly shown: object
  readonly tags: readonly ArgumentTag[]
}

/** Converts a thrown value to a `ToolError` and passes it to `onError`, unless the tool only requests input from the user. */
export async function reported(invocation: Invocation, thrown: unknown): Promise<ToolError> {
  const error = toFailure(invocation.tool, thrown)
  if (invocation.tool.hooks?.onError && !isInputRequired(error)) await reportError(invocation, error)
  return error
}

/**
 * Runs the stages coerce → beforeValidate → validate → afterValidate → context → beforeExecute. The tool's deadline applies to each hook
 * and each attempt separately. Throws synchronously or rejects.
 */
export function prepare(invocation: Invocation, args: object): PreparedArgs | Promise<PreparedArgs> {
  const { tool } = invocation
  const prepared = coerceArgs(tool.args, args, invocation.isFedByAnother ? { strict: tool.strict, isOutput: true } : tool)
  assertFits(prepared.issues, 'invalid_arguments', tool)
  const check = tool.hooks || tool.parse || tool.context ? undefined : checkOf(tool.args)
  // After the first call, most tools have nothing to await. Each await would make a call 2% slower.
  if (typeof check !== 'function') return prepareInStages(invocation, prepared)
  assertFits(check(prepared.args), 'invalid_arguments', tool, prepared.tags)
  return { args: prepared.args, shown: prepared.args, tags: prepared.tags }
}

async function prepareInStages(invocation: Invocation, prepared: CoercedArgs): Promise<PreparedArgs> {
  const { tool } = invocation
  const { hooks } = tool
  let ready: unknown = prepared.args
  let input: object | undefined
  let { tags } = prepared
  if (hooks?.beforeValidate) ready = await runHook(invocation, 'beforeValidate', ready)
  if (tool.parse) {
    const parsed = await parse(invocation, ready as object, tool.parse, tags)
    for (const name of filledIn(tool.args, ready as object, parsed))
      tags = [...tags, { tag: 'defaulted', path: `/${pointerSegment(name)}` }]
    if (tool.needsApproval && !(await isSettled(invocation, ready as object, parsed, tool.parse))) input = ready as object
    ready = parsed
  } else {
    // `validate` also checks bounds, because a hook may have replaced the prepared args with an unbounded value.
    const issues = ready === prepared.args ? (await checkOf(tool.args))(ready) : await validate(tool.args, ready)
    assertFits(issues, 'invalid_arguments', tool, tags)
  }
  if (hooks?.afterValidate) ready = await runHook(invocation, 'afterValidate', ready)
  if (tool.context !== undefined) await assertContext(invocation)
  if (hooks?.beforeExecute) ready = await runHook(invocation, 'beforeExecute', ready)
  return { args: ready as object, shown: input ?? (ready as object), tags }
}

/** Runs the stages deadline and retries → execute → beforeValidateOutput → validate output → afterValidateOutput → afterExecute. */
export function finish(invocation: Invocation, args: object): unknown {
  const given = execute(invocation, args)
  return invocation.tool.output === undefined && invocation.tool.hooks === undefined ? given : finishOutput(invocation, given)
}

async function finishOutput(invocation: Invocation, given: unknown): Promise<unknown> {
  const { output: schema, hooks } = invocation.tool
  const output = schema === undefined ? await given : await checkOutput(invocation, await given, schema)
  return hooks?.afterExecute ? await runHook(invocation, 'afterExecute', output) : output
}

export async function assertContext({ tool, options }: Invocation): Promise<void> {
  if (tool.context !== undefined) assertFits(await checkContext(tool.context, options.values ?? {}), 'invalid_context', tool)
}

/** Runs another library's validator under the tool's deadline, because it may be asynchronous. */
async function parse(
  invocation: Invocation,
  args: object,
  parser: ArgsParser,
  tags: readonly ArgumentTag[] = [],
): Promise<object> {
  const parsed = await attempt(invocation, `the validation of "${invocation.tool.name}"`, () => parser(args))
  if (parsed.issues === undefined) return parsed.args
  assertFits(parsed.issues, 'invalid_arguments', invocation.tool, tags)
  return args
}

/**
 * True if an approver can see and edit a validator's output instead of its input. The validator must accept its own output as JSON and
 * return it unchanged. Trimming `" a"` to `"a"` qualifies. Doubling 5 doesn't, and neither does converting `"1"` to 1 if only strings are
 * accepted.
 */
async function isSettled(invocation: Invocation, input: object, output: object, parser: ArgsParser): Promise<boolean> {
  const { value, tags } = boundOutput(output)
  if (isEqual(value, boundOutput(input).value)) return true
  if (tags.some(({ tag }) => tag !== 'converted')) return false
  try {
    return isEqual(value, boundOutput(await parse(invocation, structuredClone(value) as object, parser)).value)
  } catch {
    return false
  }
}

async function checkOutput(invocation: Invocation, output: unknown, schema: object): Promise<unknown> {
  const given = await runHook(invocation, 'beforeValidateOutput', output)
  const check = () => validate(schema, given)
  // Another library's validator may be asynchronous.
  const subject = `the validation of the output of "${invocation.tool.name}"`
  assertFits(await (parserOf(schema) ? attempt(invocation, subject, check) : check()), 'invalid_output', invocation.tool)
  return runHook(invocation, 'afterValidateOutput', given)
}
