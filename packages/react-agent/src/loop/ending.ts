/** The ways a task can end: with text, with a call to `submit`, or with a call to `finish` and one more request. */
import { type Adapter, type FieldError, isOneText, outputsSchema, type RequestOptions, type Signature } from '@x/adapters'
import type { Tool } from '@x/tool-core'
import { outputOf } from '../calls/finished-call.ts'
import {
  ANSWER_INSTRUCTIONS,
  ASK_FOR_SUBMIT,
  askForOutputs,
  FINISH_DESCRIPTION,
  FINISH_INSTRUCTIONS,
  READ_RESULT,
  SUBMIT_DESCRIPTION,
  SUBMIT_INSTRUCTIONS,
} from '../prompts.ts'
import { define } from '../tools/define.ts'
import { withFieldValidators } from './fields-schema.ts'
import type { CallOutcome } from './outcome.ts'

/** Names that are reserved for tools that agents add, so the user's tools can't have them. */
export const RESERVED_NAMES: readonly string[] = ['submit', 'finish', READ_RESULT]

/**
 * What to do after a turn. `read_text` reads the outputs from the text of the turn; if the text doesn't contain them exactly, `otherwise`
 * requests them in a separate turn, as `ask` does. `remind` sends a message that explains how to end the task.
 */
export type Settlement =
  | { readonly type: 'continue' }
  | { readonly type: 'read_text'; readonly otherwise?: string | undefined }
  | { readonly type: 'outputs'; readonly outputs: unknown }
  | { readonly type: 'ask'; readonly user: string }
  | { readonly type: 'remind'; readonly user: string }

export interface Ending {
  /** Offered to the model along with the agent's tools. */
  readonly tools: readonly Tool[]
  readonly instructions: string
  /** Decides what to do next. `outcomes` are the outcomes of the turn's calls, in call order. */
  settle(outcomes: readonly CallOutcome[]): Settlement
  /** How to get the final answer when the loop is stopped: force one last turn with these options, or send this message. */
  readonly last: { readonly options: RequestOptions } | { readonly user: string }
}

export function endingFor(adapter: Adapter, signature: Signature): Ending {
  const hasOneText = isOneText(signature)
  if (adapter.toolCalling === 'native') return hasOneText ? textEnding('', WITHOUT_CALLS) : submitEnding(signature)
  const last = { user: askForOutputs(adapter.describeOutputs(signature)) }
  return hasOneText ? textEnding(ANSWER_INSTRUCTIONS, last) : finishEnding(last)
}

const CONTINUE: Settlement = { type: 'continue' }

const WITHOUT_CALLS: Ending['last'] = { options: { toolChoice: 'none' } }

/** Returns the ending in which the text of a turn without calls is the answer. */
function textEnding(instructions: string, last: Ending['last']): Ending {
  const settle = (outcomes: readonly CallOutcome[]): Settlement => (outcomes.length === 0 ? { type: 'read_text' } : CONTINUE)
  return { tools: [], instructions, settle, last }
}

/**
 * Returns the ending in which the outputs are the arguments of a reserved tool, so that they are validated and corrected like any
 * arguments.
 */
function submitEnding(signature: Signature): Ending {
  const submit = define({
    name: 'submit',
    description: SUBMIT_DESCRIPTION,
    args: withFieldValidators(outputsSchema(signature), signature.outputs),
    effect: 'read',
    execute: (outputs) => outputs,
  })
  return {
    tools: [submit],
    instructions: SUBMIT_INSTRUCTIONS,
    settle(outcomes) {
      const submitted = outcomes.find(({ observation: { name, ok } }) => name === 'submit' && ok)
      if (submitted !== undefined) return { type: 'outputs', outputs: outputOf(submitted) }
      return outcomes.length === 0 ? { type: 'remind', user: ASK_FOR_SUBMIT } : CONTINUE
    },
    last: { options: { toolChoice: { name: 'submit' } } },
  }
}

function finishEnding(last: { readonly user: string }): Ending {
  const finish = define({
    name: 'finish',
    description: FINISH_DESCRIPTION,
    args: { type: 'object', properties: {} },
    effect: 'read',
    execute: () => 'Done.',
  })
  return {
    tools: [finish],
    instructions: FINISH_INSTRUCTIONS,
    settle(outcomes) {
      if (outcomes.length === 0) return { type: 'read_text', otherwise: last.user }
      const finished = outcomes.some(({ observation: { name, ok } }) => name === 'finish' && ok)
      return finished ? { type: 'ask', user: last.user } : CONTINUE
    },
    last,
  }
}

/** Converts the error of a call that ends the task. The call contains all outputs, so the error applies to all of them. */
export function toFieldError({ observation }: CallOutcome): FieldError {
  return { code: 'invalid_output', field: observation.name, message: observation.text }
}
