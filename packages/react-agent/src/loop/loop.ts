/** The ReAct loop: asks the model, runs its calls and returns the results to it, until it has the task's outputs. */
import type { FieldError, InputsOf, Message, Signature } from '@x/adapters'
import type { PausedRun } from '../approval/paused-run.ts'
import { AgentError, wordsOf } from '../errors.ts'
import type { LoopOptions } from '../options.ts'
import { describeErrors } from '../prompts.ts'
import { isStepsFailure, runStep } from '../steps/run-step.ts'
import { revealedBy } from '../tools/search.ts'
import { untilAborted } from '../until-aborted.ts'
import { toFieldError } from './ending.ts'
import { askForOutputsOf, invalidOutput, isFinal, parseOutputs } from './outputs.ts'
import { type ReactResult, type Termination, toTrajectory } from './result.ts'
import type { RunScope } from './scope.ts'
import type { AnsweredTurn, ModelTurn } from './turn.ts'
import { Turns } from './turns.ts'

/** Executes one run, from the start or from where it paused. */
export async function runLoop<S extends Signature>(
  options: LoopOptions<S>,
  { inputs, earlier }: { readonly inputs: InputsOf<S>; readonly earlier: readonly Message[] },
  scope: RunScope,
  paused?: PausedRun,
): Promise<ReactResult<S>> {
  const search = options.search?.start()
  const revealed = await revealedBy(search, earlier, scope.signal)
  const turns = new Turns(options, { inputs, earlier, search, revealed, paused }, scope)
  const loop = new Loop(options, turns)
  try {
    return await (paused === undefined ? loop.runFrom(1) : loop.resume(paused))
  } catch (error) {
    throw error instanceof AgentError ? turns.withReport(error) : error
  }
}

function outOfSteps(steps: number): string {
  return `The model did not finish the task within ${steps} ${steps === 1 ? 'step' : 'steps'}. Raise maxSteps, or give it a smaller task.`
}

class Loop<S extends Signature> {
  readonly #options: LoopOptions<S>
  readonly #turns: Turns

  constructor(options: LoopOptions<S>, turns: Turns) {
    this.#options = options
    this.#turns = turns
  }

  /** Answers the paused turn, then continues. */
  async resume(paused: PausedRun): Promise<ReactResult<S>> {
    const { step } = paused
    return (await this.#endBy(await this.#turns.takeUp(paused), step)) ?? this.runFrom(step + 1)
  }

  async runFrom(first: number): Promise<ReactResult<S>> {
    // A paused run may have taken more steps than the limit is now.
    const maxSteps = Math.max(first - 1, this.#options.limits.maxSteps)
    for (let step = first; step <= maxSteps; step++) {
      const ending = this.#endBy(await this.#turns.take(step), step)
      const result = ending && (await ending)
      if (result !== undefined) return result
    }
    return this.#result(await this.#force(maxSteps + 1, 'max_steps'), 'max_steps', maxSteps)
  }

  /** Returns the result if the run ends with this turn, otherwise undefined. Returns a promise only if it has to wait. */
  #endBy(turn: AnsweredTurn, step: number): Promise<ReactResult<S> | undefined> | undefined {
    const settled = this.#settle(turn, step)
    return settled === undefined && this.#options.stopWhen === undefined ? undefined : this.#end(settled, step)
  }

  async #end(settled: unknown, step: number): Promise<ReactResult<S> | undefined> {
    const outputs = settled instanceof Promise ? await settled : settled
    if (outputs !== undefined) return this.#result(outputs, 'finished', step)
    const { stopWhen } = this.#options
    if (stopWhen === undefined || !(await this.#isEnough(stopWhen, step))) return undefined
    return this.#result(await this.#force(step + 1, 'stopped'), 'stopped', step)
  }

  async #isEnough(stopWhen: NonNullable<LoopOptions['stopWhen']>, step: number): Promise<boolean> {
    const { usage, cost } = this.#turns.spending
    const { signal, steps } = this.#turns.scope
    const state = { step, messages: this.#turns.conversation.messages, usage, cost }
    try {
      const ask = async () => (await stopWhen(state)) === true
      // The result is recorded, so that a replayed run stops at the same step.
      return await runStep(steps, `stop-${step}`, () => untilAborted(ask(), signal), signal)
    } catch (cause) {
      if (signal?.aborted) throw this.#turns.aborted()
      throw isStepsFailure(cause)
        ? cause
        : this.#turns.failure('callback_failed', `stopWhen failed: ${wordsOf(cause)}`, { cause })
    }
  }

  /** Returns the outputs if the turn ended the task, or undefined if the loop continues. Returns a promise only if it has to wait. */
  #settle(turn: AnsweredTurn, step: number): unknown {
    if (turn.outcomes.length === 0 && turn.malformed.length > 0)
      return this.#repair(describeErrors(turn.malformed), turn.malformed, turn)
    const settlement = this.#options.ending.settle(turn.outcomes)
    switch (settlement.type) {
      case 'continue':
        return undefined
      case 'outputs':
        return settlement.outputs
      case 'ask':
        return this.#ask(settlement.user, step)
      case 'remind':
        return this.#repair([...turn.faults.map(({ message }) => message), settlement.user].join('\n'), turn.faults, turn)
      case 'read_text':
        return this.#readText(turn, settlement.otherwise, step)
    }
  }

  async #readText(turn: AnsweredTurn, otherwise: string | undefined, step: number): Promise<unknown> {
    const { model, task } = this.#options
    const { conversation, scope } = this.#turns
    // A refused or truncated reply doesn't end the task.
    if (otherwise !== undefined && turn.faults.length > 0) return this.#repair(describeErrors(turn.faults), turn.faults, turn)
    const parsed = await parseOutputs(model, task, turn.response, conversation, scope.signal)
    const { errors, recoveredFields } = parsed
    const outputs: object = parsed.outputs
    if (otherwise === undefined) return errors.length === 0 ? outputs : this.#repair(describeErrors(errors), errors, turn)
    const isExact = errors.length === 0 && recoveredFields === undefined && Object.keys(outputs).length > 0
    return isExact ? outputs : this.#ask(otherwise, step)
  }

  /** Asks for the outputs in a separate turn. */
  #ask(user: string, step: number): Promise<unknown> {
    const { model, task, limits } = this.#options
    const { conversation, scope } = this.#turns
    conversation.append({ user })
    return askForOutputsOf(model, { signature: task, conversation, step, maxRepairs: limits.maxRepairs }, scope)
  }

  #repair(user: string, errors: readonly FieldError[], { response }: ModelTurn): undefined {
    if (this.#turns.repairs++ >= this.#options.limits.maxRepairs || isFinal(errors))
      throw invalidOutput(errors, response, this.#turns.conversation)
    this.#turns.conversation.append({ user })
  }

  /** Gets the final answer: in a last turn without other tools, or in a separate request. An invalid `submit` can be repaired as usual. */
  async #force(step: number, termination: Termination): Promise<unknown> {
    const { ending, model, task } = this.#options
    const { conversation, scope } = this.#turns
    if ('user' in ending.last) return this.#ask(ending.last.user, step)
    for (let next = step; ; next++) {
      const turn = await this.#turns.takeLast(next, ending.last.options)
      const settlement = ending.settle(turn.outcomes)
      if (settlement.type === 'outputs') return settlement.outputs
      const { outputs, errors } = await parseOutputs(model, task, turn.response, conversation, scope.signal)
      if (settlement.type === 'read_text' && errors.length === 0) return outputs
      const wrong = turn.outcomes.filter(({ observation: { name, ok } }) => !ok && this.#turns.endingTools.has(name))
      if (wrong.length > 0 && this.#turns.repairs++ < this.#options.limits.maxRepairs) continue
      const reasons = wrong.length > 0 ? wrong.map(toFieldError) : errors
      if (termination !== 'max_steps') throw invalidOutput(reasons, turn.response, this.#turns.conversation)
      const details = { errors: reasons, rawOutput: turn.response.text, steps: step - 1 }
      const isTruncated = turn.response.finishReason === 'length'
      const truncated = isTruncated && reasons[0] !== undefined ? ` The last reply: ${reasons[0].message}` : ''
      throw this.#turns.failure('max_steps', outOfSteps(step - 1) + truncated, details)
    }
  }

  #result(outputs: unknown, termination: Termination, steps: number): ReactResult<S> {
    const { usage, cost } = this.#turns.spending
    return {
      outputs: outputs as ReactResult<S>['outputs'],
      trajectory: toTrajectory(this.#turns.conversation.messages),
      termination,
      steps,
      usage,
      ...(cost !== undefined && { cost }),
      unknownCalls: this.#turns.unknownCalls,
    }
  }
}
