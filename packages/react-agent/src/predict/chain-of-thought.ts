/** The outputs of a signature, with the model's reasoning before them. */
import type { InputsOf, OutputsOf, Signature } from '@x/adapters'
import type { TSchema } from 'typebox'
import { AgentError } from '../errors.ts'
import { assertGiven, assertSignature } from './options.ts'
import { type Predict, type PredictOptions, predict } from './predict.ts'

/** The signature with the output `reasoning` before its own. */
export type WithReasoning<S extends Signature> = Signature<InputsOf<S>, { reasoning: string } & OutputsOf<S>>

/**
 * As `predict`, but the model thinks step by step before it answers, in an output `reasoning` before the signature's own. For
 * models that do not think by themselves. Throws `invalid_options` for a signature that has an output of that name.
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
      'chainOfThought: the signature has an output "reasoning" itself. Rename it, or use predict, which asks for it as it is.',
    )
  return { ...signature, outputs: { reasoning: REASONING, ...signature.outputs } } as Signature as WithReasoning<S>
}

const REASONING = { type: 'string', description: 'Think step by step before you give the other parts.' } as TSchema
