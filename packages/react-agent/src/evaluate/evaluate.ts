/** Evaluates a module: runs it on every case and scores its outputs. */

import { assertCount, wrongOption } from '../check-options.ts'
import { AgentError } from '../errors.ts'
import { untilAborted } from '../until-aborted.ts'

/** A module to evaluate: the result of `predict` or `chainOfThought`, or any function of its inputs. */
export type Module<Inputs, Output> = (
  inputs: Inputs,
  options?: { signal?: AbortSignal | undefined },
) => Output | PromiseLike<Output>

export interface EvaluationCase<Inputs, Expected> {
  readonly inputs: Inputs
  readonly expected: Expected
}

/** Scores an output: 1 for a correct one, 0 for a wrong one, or any finite number. true is 1, false is 0. */
export type Metric<Expected, Output> = (expected: Expected, output: Output) => number | boolean | PromiseLike<number | boolean>

export interface EvaluationOptions {
  /** Number of cases that run concurrently. Default: 4. */
  concurrency?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Evaluation<Inputs, Expected, Output> {
  /** The mean score of all cases. */
  readonly score: number
  /** Results in the order of the cases. */
  readonly results: readonly EvaluationResult<Inputs, Expected, Output>[]
}

export interface EvaluationResult<Inputs, Expected, Output> extends EvaluationCase<Inputs, Expected> {
  /** The output of the module. Undefined if the module failed. */
  readonly output?: Output | undefined
  /** Error thrown by the module or the metric. If set, `score` is 0. */
  readonly error?: unknown
  readonly score: number
  /** Wall time of the module, in milliseconds. */
  readonly ms: number
}

/**
 * Runs the module on every case and scores the outputs. A case that fails scores 0 and contains its `error`; the other cases continue.
 * Rejects with `AgentError`: `aborted` if the caller aborts, `invalid_options` if there are no cases or a case is invalid.
 */
export async function evaluate<Inputs, Expected, Output>(
  module: Module<Inputs, Output>,
  cases: readonly EvaluationCase<NoInfer<Inputs>, Expected>[],
  metric: Metric<NoInfer<Expected>, NoInfer<Output>>,
  { concurrency = 4, signal }: EvaluationOptions = {},
): Promise<Evaluation<Inputs, Expected, Output>> {
  assertCount('evaluate', 'concurrency', concurrency, 1)
  if (typeof module !== 'function') throw wrongOption('evaluate', 'module', 'predict(…), or any function of the inputs', module)
  if (typeof metric !== 'function')
    throw wrongOption('evaluate', 'metric', 'a function of the expected value and the output', metric)
  assertCases(cases)
  const results: EvaluationResult<Inputs, Expected, Output>[] = []
  const waiting = cases.entries()
  const work = async () => {
    for (const [index, { inputs, expected }] of waiting) {
      signal?.throwIfAborted()
      results[index] = await evaluateCase({ module, metric, signal }, inputs, expected)
    }
  }
  try {
    await untilAborted(Promise.all(Array.from({ length: Math.min(concurrency, cases.length) }, work)), signal)
  } catch (cause) {
    throw new AgentError('aborted', 'The evaluation was aborted by the caller.', { cause })
  }
  return { score: results.reduce((sum, result) => sum + result.score, 0) / results.length, results }
}

/** Throws `invalid_options` for an invalid case. The error contains the index of the case, because cases usually come from a file. */
function assertCases(cases: unknown): void {
  if (!Array.isArray(cases)) throw wrongOption('evaluate', 'cases', 'a list of { inputs, expected }', cases)
  if (cases.length === 0) throw new AgentError('invalid_options', 'evaluate: cases is empty. Pass at least one case.')
  for (const [index, given] of (cases as readonly unknown[]).entries()) {
    if (typeof given !== 'object' || given === null)
      throw wrongOption('evaluate', `cases[${index}]`, '{ inputs, expected }', given)
    if (!('inputs' in given)) throw wrongOption('evaluate', `cases[${index}].inputs`, 'the inputs of the module', undefined)
  }
}

interface Judged<Inputs, Expected, Output> {
  readonly module: Module<Inputs, Output>
  readonly metric: Metric<Expected, Output>
  readonly signal: AbortSignal | undefined
}

/** Runs and scores one case. Never rejects. */
async function evaluateCase<Inputs, Expected, Output>(
  { module, metric, signal }: Judged<Inputs, Expected, Output>,
  inputs: Inputs,
  expected: Expected,
): Promise<EvaluationResult<Inputs, Expected, Output>> {
  const started = performance.now()
  let output: Output
  try {
    output = await module(inputs, { signal })
  } catch (error) {
    return { inputs, expected, error, score: 0, ms: performance.now() - started }
  }
  const ms = performance.now() - started
  try {
    return { inputs, expected, output, score: toScore(await metric(expected, output)), ms }
  } catch (error) {
    return { inputs, expected, output, error, score: 0, ms }
  }
}

function toScore(score: number | boolean): number {
  const number = Number(score)
  if (Number.isFinite(number)) return number
  throw new TypeError(`evaluate: the metric must return a finite number, true or false, but it returned ${String(score)}.`)
}
