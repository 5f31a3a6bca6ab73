/** The loop: ask the model, run its calls, show it the results, until the task has its outputs. */
import type { Conversation, InputsOf, OutputsOf, RequestOptions, Signature, Usage } from '@x/adapters'
import type { Tool, ToolMap } from '@x/tool-core'
import { type CallOutcome, runCalls } from './calls.ts'
import type { Ending } from './ending.ts'
import { AgentError } from './errors.ts'
import { askModel, type ModelOptions, type RunScope } from './model.ts'
import { describeErrors } from './observe.ts'
import { askForOutputsOf, invalidOutput, parseOutputs } from './outputs.ts'
import { type Trajectory, toTrajectory } from './trajectory.ts'
import { readTurn, type Turn } from './turn.ts'

/** `finished`: the model ended the task. `max_steps`: its steps were used up and it answered when it was made to. */
export type Termination = 'finished' | 'max_steps'

export interface ReactResult<S extends Signature = Signature> {
  readonly outputs: OutputsOf<S>
  readonly trajectory: Trajectory
  readonly termination: Termination
  /** Turns of the model in which it could call tools. */
  readonly steps: number
  /** Tokens of all turns, as far as the provider reported them. */
  readonly usage: Usage
}

/** What stays the same for all runs of an agent. */
export interface LoopOptions<S extends Signature> {
  readonly model: ModelOptions
  /** The task: its own inputs and outputs. */
  readonly task: S
  /** The task's inputs and the tools in; a thought and tool calls out. */
  readonly act: Signature
  readonly ending: Ending
  /** The agent's tools and those of the ending. */
  readonly tools: ToolMap
  readonly offered: readonly Tool[]
  readonly maxSteps: number
  readonly maxRepairs: number
}

export async function runLoop<S extends Signature>(
  options: LoopOptions<S>,
  inputs: InputsOf<S>,
  values: object,
  scope: RunScope,
): Promise<ReactResult<S>> {
  const { model, task, act, ending, tools, offered, maxSteps, maxRepairs } = options
  const conversation = model.adapter.begin(act, { ...inputs, tools: offered })
  const seen = new Set<string>()
  let usage: Usage = {}
  let repairs = 0

  async function takeTurn(step: number, requestOptions: RequestOptions): Promise<Turn> {
    scope.emit({ type: 'step_started', step })
    const response = await askModel(model, conversation, requestOptions, step, `model-${step}`, scope)
    usage = addUsage(usage, response.usage)
    const turn = readTurn(model.adapter.parse(act, response) as never, step, seen)
    scope.emit({ type: 'turn', step, response: turn.response })
    return turn
  }
  const end = (outputs: unknown, termination: Termination, steps: number): ReactResult<S> => {
    const trajectory = toTrajectory(conversation.messages)
    return { outputs: outputs as OutputsOf<S>, trajectory, termination, steps, usage }
  }
  /** The outputs in a turn of their own. */
  const ask = (user: string, step: number) => {
    conversation.append({ user })
    return askForOutputsOf(model, { signature: task, conversation, step, maxRepairs }, scope)
  }
  const repair = (user: string, failure: () => AgentError) => {
    if (repairs++ >= maxRepairs) throw failure()
    conversation.append({ user })
  }

  for (let step = 1; step <= maxSteps; step++) {
    const turn = await takeTurn(step, {})
    const outcomes = await runCalls(turn.calls, { ...scope, tools, values, step })
    conversation.append({ response: turn.response, observations: outcomes.map(({ observation }) => observation) })
    assertNotAborted(scope, conversation)
    const settlement = ending.settle(outcomes)
    switch (settlement.type) {
      case 'continue':
        break
      case 'outputs':
        return end(settlement.outputs, 'finished', step)
      case 'ask':
        return end(await ask(settlement.user, step), 'finished', step)
      case 'remind':
        repair(settlement.user, () => invalidOutput([], turn.response, conversation))
        break
      case 'read_text': {
        const { outputs, errors } = await parseOutputs(model, task, turn.response)
        if (errors.length === 0) return end(outputs, 'finished', step)
        repair(describeErrors(errors), () => invalidOutput(errors, turn.response, conversation))
      }
    }
  }
  return end(await forceOutputs(), 'max_steps', maxSteps)

  async function forceOutputs(): Promise<unknown> {
    const step = maxSteps + 1
    if ('user' in ending.last) return ask(ending.last.user, step)
    const turn = await takeTurn(step, ending.last.options)
    const own = new Map(ending.tools.map((tool) => [tool.name, tool]))
    const outcomes = await runCalls(turn.calls, { ...scope, tools: own, values, step })
    conversation.append({ response: turn.response, observations: outcomes.map(({ observation }) => observation) })
    return forcedOutputs(options, turn, outcomes, conversation)
  }
}

async function forcedOutputs<S extends Signature>(
  { model, task, ending, maxSteps }: LoopOptions<S>,
  turn: Turn,
  outcomes: readonly CallOutcome[],
  conversation: Conversation,
): Promise<unknown> {
  const settlement = ending.settle(outcomes)
  if (settlement.type === 'outputs') return settlement.outputs
  const { outputs, errors } = await parseOutputs(model, task, turn.response)
  if (settlement.type === 'read_text' && errors.length === 0) return outputs
  const trajectory = toTrajectory(conversation.messages)
  throw new AgentError('max_steps', `The task was not done within ${maxSteps} steps.`, {
    errors,
    rawOutput: turn.response.text,
    trajectory,
  })
}

function assertNotAborted({ signal }: RunScope, conversation: Conversation): void {
  if (!signal?.aborted) return
  const trajectory = toTrajectory(conversation.messages)
  throw new AgentError('aborted', 'The run was aborted by the caller.', { cause: signal.reason, trajectory })
}

function addUsage(total: Usage, usage: Usage = {}): Usage {
  const add = (a: number | undefined, b: number | undefined) => (a === undefined ? b : a + (b ?? 0))
  return { inputTokens: add(total.inputTokens, usage.inputTokens), outputTokens: add(total.outputTokens, usage.outputTokens) }
}
