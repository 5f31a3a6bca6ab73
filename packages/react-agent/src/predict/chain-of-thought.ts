/** Like `predict`, but the model writes its reasoning before the outputs. */
import type { InputsOf, OutputsOf, Signature } from '@x/adapters'
import type { TSchema } from 'typebox'
import { assertGiven, assertSignature } from '../check-options.ts'
import { AgentError } from '../errors.ts'
import { THINK_FIRST } from '../prompts.ts'
import { type Predict, type PredictOptions, predict } from './predict.ts'

/** The signature with an additional first output, `reasoning`. */
export type WithReasoning<S extends Signature> = Signature<InputsOf<S>, { reasoning: string } & OutputsOf<S>>

/**
 * Creates a module like `predict`, but the model first thinks step by step, in an additional output `reasoning`. Meant for models that
 * don't reason on their own. Throws `invalid_options` for a signature that already has an output with that name.
 */
export function chainOfThought<S extends Signature>(options: PredictOptions<S>): Predict<WithReasoning<S>> {
  assertGiven('chainOfThought', options)
  assertSignature('chainOfThought', options.signature)
  return predict({ ...options, signature: withReasoning(options.signature) })
}

function withReasoning<S extends Signature>(signature: S): WithReasoning<S> {
  if (Object.hasOwn(signature.outputs, 'reasoning'))
    throw new AgentError(
      'invalid_options',
      'chainOfThought: the signature already has an output "reasoning". Rename that output, or use predict.',
    )
  return { ...signature, outputs: { reasoning: REASONING, ...signature.outputs } } as Signature as WithReasoning<S>
}

const REASONING = { type: 'string', description: THINK_FIRST } as TSchema
