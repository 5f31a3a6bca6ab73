/** How well a module does: every case asked, every answer scored, and what failed told. */
import { AgentError } from '../errors.ts'
import { assertCount, wrongOption } from '../predict/options.ts'
import { untilAborted } from '../until-aborted.ts'

/** What can be evaluated: `predict`, `chainOfThought`, or any function of its inputs. */
export type Module<Inputs, Output> = (
  inputs: Inputs,
  options?: { signal?: AbortSignal | undefined },
) => Output | PromiseLike<Output>

export interface EvaluationCase<Inputs, Expected> {
  readonly inputs: Inputs
  readonly expected: Expected
}

/** How good an output is: a number, 1 for what is right and 0 for what is not; true is 1. */
export type Metric<Expected, Output> = (expected: Expected, output: Output) => number | boolean | PromiseLike<number | boolean>

export interface EvaluationOptions {
  /** How many cases are asked at once; 4 unless told. */
  concurrency?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Evaluation<Inputs, Expected, Output> {
  /** The mean over all cases. */
  readonly score: number
  /** In the order of the cases. */
  readonly results: readonly EvaluationResult<Inputs, Expected, Output>[]
}

export interface EvaluationResult<Inputs, Expected, Output> extends EvaluationCase<Inputs, Expected> {
  /** Absent when the module failed. */
  readonly output?: Output | undefined
  /** What the module or the metric threw; such a case scores 0. */
  readonly error?: unknown
  readonly score: number
  /** Wall time of the module, in milliseconds. */
  readonly ms: number
}

/**
 * Asks the module every case and scores what it says. A case that fails scores 0 and is told; the others go on. Rejects with
 * `AgentError`: `aborted` when the caller gives up, `invalid_options` when there are no cases, or one is none.
 */
export async function evaluate<Inputs, Expected, Output>(
  module: Module<Inputs, Output>,
  cases: readonly EvaluationCase<NoInfer<Inputs>, Expected>[],
  metric: Metric<NoInfer<Expected>, NoInfer<Output>>,
  { concurrency = 4, signal }: EvaluationOptions = {},
): Promise<Evaluation<Inputs, Expected, Output>> {
  assertCount('evaluate', 'concurrency', concurrency, 1)
  if (typeof module !== 'function') throw wrongOption('evaluate', 'module', 'predict(…), or any function of the inputs')
  if (typeof metric !== 'function') throw wrongOption('evaluate', 'metric', 'a function of what was expected and the output')
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

/** Cases are mostly read from a file: says which one is none, and why. */
function assertCases(cases: unknown): void {
  if (!Array.isArray(cases)) throw wrongOption('evaluate', 'cases', 'a list of { inputs, expected }')
  if (cases.length === 0) throw new AgentError('invalid_options', 'evaluate: there are no cases. Give at least one.')
  for (const [index, given] of (cases as readonly unknown[]).entries()) {
    if (typeof given !== 'object' || given === null) throw wrongOption('evaluate', `cases[${index}]`, '{ inputs, expected }')
    if (!('inputs' in given)) throw wrongOption('evaluate', `cases[${index}].inputs`, 'what the module is asked')
  }
}

interface Judged<Inputs, Expected, Output> {
  readonly module: Module<Inputs, Output>
  readonly metric: Metric<Expected, Output>
  readonly signal: AbortSignal | undefined
}

/** Never rejects. */
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
  throw new TypeError(`The metric gave ${String(score)}, which is no score. It must give a finite number, true or false.`)
}
