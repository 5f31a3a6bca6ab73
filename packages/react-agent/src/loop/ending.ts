/** How a task ends: by text, by `submit`, or by `finish` and one more question. One small object for each. */
import { type Adapter, type FieldError, isOneText, outputsSchema, type RequestOptions, type Signature } from '@x/adapters'
import { defineTool, type Tool } from '@x/tool-core'
import type { TObject } from 'typebox'
import { READ_RESULT } from '../calls/large-results.ts'
import {
  ASK_FOR_SUBMIT,
  askForOutputs,
  FINISH_DESCRIPTION,
  FINISH_INSTRUCTIONS,
  SUBMIT_DESCRIPTION,
  SUBMIT_INSTRUCTIONS,
} from '../prompts.ts'
import type { CallOutcome } from './outcome.ts'

/** What no tool of a user may be called. */
export const RESERVED_NAMES: readonly string[] = ['submit', 'finish', READ_RESULT]

/**
 * What follows from a turn: go on, read the outputs from its text, take these outputs, ask for the outputs in a turn of
 * their own, or remind the model of how to end.
 */
export type Settlement =
  | { readonly type: 'continue' }
  | { readonly type: 'read_text' }
  | { readonly type: 'outputs'; readonly outputs: unknown }
  | { readonly type: 'ask'; readonly user: string }
  | { readonly type: 'remind'; readonly user: string }

export interface Ending {
  /** Offered to the model beside the agent's tools. */
  readonly tools: readonly Tool[]
  readonly instructions: string
  /** `outcomes` are those of the turn's calls, in their order. */
  settle(outcomes: readonly CallOutcome[]): Settlement
  /** What to do when the steps are used up: force one last turn by these options, or ask. */
  readonly last: { readonly options: RequestOptions } | { readonly user: string }
}

export function endingFor(adapter: Adapter, signature: Signature): Ending {
  if (adapter.toolCalling === 'text') return finishEnding(askForOutputs(adapter.describeOutputs(signature)))
  return isOneText(signature) ? textEnding : submitEnding(signature)
}

const CONTINUE: Settlement = { type: 'continue' }

/** A turn without calls is the answer. */
const textEnding: Ending = {
  tools: [],
  instructions: '',
  settle: (outcomes) => (outcomes.length === 0 ? { type: 'read_text' } : CONTINUE),
  last: { options: { toolChoice: 'none' } },
}

/** The outputs are the arguments of a reserved tool, so they are validated and corrected as any arguments. */
function submitEnding(signature: Signature): Ending {
  const submit = defineTool({
    name: 'submit',
    description: SUBMIT_DESCRIPTION,
    args: outputsSchema(signature) as unknown as TObject,
    effect: 'read',
    execute: (outputs) => outputs,
  })
  return {
    tools: [submit],
    instructions: SUBMIT_INSTRUCTIONS,
    settle(outcomes) {
      const submitted = outcomes.find(({ observation: { name, ok } }) => name === 'submit' && ok)
      if (submitted !== undefined) return { type: 'outputs', outputs: submitted.output }
      return outcomes.length === 0 ? { type: 'remind', user: ASK_FOR_SUBMIT } : CONTINUE
    },
    last: { options: { toolChoice: { name: 'submit' } } },
  }
}

function finishEnding(user: string): Ending {
  const finish = defineTool({
    name: 'finish',
    description: FINISH_DESCRIPTION,
    args: { type: 'object', properties: {} } as unknown as TObject,
    effect: 'read',
    execute: () => 'Done.',
  })
  return {
    tools: [finish],
    instructions: FINISH_INSTRUCTIONS,
    settle(outcomes) {
      const finished = outcomes.length === 0 || outcomes.some(({ observation: { name, ok } }) => name === 'finish' && ok)
      return finished ? { type: 'ask', user } : CONTINUE
    },
    last: { user },
  }
}

/** A call that ends the task gives all outputs at once, so the error is about all of them. */
export function toFieldError({ observation }: CallOutcome): FieldError {
  return { code: 'invalid_output', field: observation.name, message: observation.text }
}
