/** Combines several actions into one that runs them at the same time. */
import type { TObject } from 'typebox'
import type { Action } from '../define/action.ts'
import type { ToolContext } from '../define/context.ts'
import { type ArgsOf, createTool, isTool, type OutputOf } from '../define/tool.ts'
import { declaredBy } from '../schema/schema.ts'
import { mergeArgs } from './merge-args.ts'
import { assertActions, callStep, demandsOf, parserFor, type Step, stoppedAt } from './step.ts'

type Actions = { readonly [place: string]: Action }

/** The intersection of the actions' args. TypeScript infers an intersection only from function parameters. */
type ArgsOfAll<All extends Actions> = { [Place in keyof All]: (args: ArgsOf<All[Place]>) => void }[keyof All] extends (
  args: infer Args,
) => void
  ? Args
  : never

type OutputsOf<All extends Actions> = { [Place in keyof All]: OutputOf<All[Place]> }

/**
 * Combines actions into one action that runs them at the same time. Each action receives only the arguments that it declares. The output is
 * an object with each action's output under its key. The first failure aborts the other steps through their signal. Completed steps aren't
 * undone, but the error names them and the failed step. Throws `invalid_definition` if two actions declare the same argument differently.
 */
export function parallel<const Name extends string, const All extends Actions>(
  name: Name,
  actions: All,
): Action<Name, ArgsOfAll<All> & object, OutputsOf<All>> {
  const isMap = typeof actions === 'object' && actions !== null && !Array.isArray(actions) && !isTool(actions)
  const entries = isMap ? Object.entries<Action>(actions) : []
  assertActions(`parallel("${name}")`, entries, 'parallel("name", { first, second })')
  const steps = entries.map(([place, action]): Step => ({ place, action, isFedByAnother: false }))
  const all = steps.map(({ action }) => action)
  return createTool(name, 'action', {
    description: all.map(({ description }) => description).join(' At the same time: '),
    args: mergeArgs(`parallel("${name}")`, all),
    strict: all.some(({ strict }) => strict),
    parse: parserFor(all),
    output: outputOf(steps),
    ...demandsOf(all),
    execute: (args, context) => callAll(name, steps, args, context),
  }) as never
}

function outputOf(steps: readonly Step[]): TObject {
  const properties = Object.fromEntries(steps.map(({ place, action }) => [place, action.output]))
  return { type: 'object', properties, required: Object.keys(properties) } as unknown as TObject
}

/** Waits for all steps, even after a failure, so that no step continues in the background. */
async function callAll(name: string, steps: readonly Step[], args: object, context: ToolContext): Promise<object> {
  const stop = new AbortController()
  const signal = AbortSignal.any([context.signal, stop.signal])
  const finished: Step[] = []
  const failed: { readonly step: Step; readonly cause: unknown }[] = []
  const callOne = async (step: Step) => {
    try {
      const output = await callStep(step, declaredBy(step.action.args, args), context, signal)
      finished.push(step)
      return [step.place, output] as const
    } catch (cause) {
      failed.push({ step, cause })
      stop.abort(cause)
      return [step.place, undefined] as const
    }
  }
  const outputs = await Promise.all(steps.map(callOne))
  const [first, ...others] = failed
  if (first === undefined) return Object.fromEntries(outputs)
  throw stoppedAt(name, first.step, first.cause, { finished, unknown: others.map(({ step }) => step) })
}
