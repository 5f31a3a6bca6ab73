/** Parses the arguments and options of `runs` and of a durable `ask`. */
import type { LMChoice } from '../agent/providers.ts'
import type { DecisionWords } from '../durable/decide.ts'
import { ENGINES, type EngineKind } from '../durable/engine.ts'
import { UsageError } from '../failure.ts'
import { assertKnown, type OptionValue, parseLM, textOf } from './option-values.ts'

export type RunsAction =
  | { readonly type: 'list' }
  | { readonly type: 'show' | 'cancel'; readonly id: string }
  | { readonly type: 'approve'; readonly id: string; readonly name?: string | undefined; readonly decision: DecisionWords }
  /** Without an id, resumes all unfinished runs. */
  | { readonly type: 'resume'; readonly id?: string | undefined; readonly lm?: LMChoice | undefined }

type Values = Readonly<Record<string, OptionValue>>

/** Parses `--durable`. Returns undefined if the option is missing. Throws `UsageError` for an unknown engine. */
export function parseEngine(value: OptionValue): EngineKind | undefined {
  const name = textOf(value, '--durable', ENGINES.join(', '))
  if (name !== undefined) assertKnown('engine', `"${name}"`, name, ENGINES)
  return name as EngineKind | undefined
}

const ACTIONS = ['list', 'show', 'approve', 'resume', 'cancel'] as const
type ActionType = (typeof ACTIONS)[number]

/** Options that only some actions accept. */
const ACTION_OPTIONS: Readonly<Record<string, ActionType>> = { lm: 'resume', no: 'approve', reason: 'approve', edit: 'approve' }

/** Maximum number of arguments after the action. */
const MOST_WORDS: Readonly<Record<ActionType, number>> = { list: 0, show: 1, approve: 2, resume: 1, cancel: 1 }

/** Parses the words after `runs`, and the options. Throws `UsageError`. */
export function parseRunsAction([word = 'list', ...rest]: readonly string[], values: Values): RunsAction {
  assertKnown('action', `"${word}" of runs`, word, ACTIONS)
  const type = word as ActionType
  for (const [option, action] of Object.entries(ACTION_OPTIONS))
    if (values[option] !== undefined && action !== type) throw new UsageError(`runs ${type} doesn't accept --${option}.`)
  const [id, name] = rest
  if (rest.length > MOST_WORDS[type]) throw new UsageError(`Too many arguments after runs ${type}: "${rest.join(' ')}".`)
  if (type === 'list') return { type }
  if (type === 'resume') return { type, id, lm: values.lm === undefined ? undefined : parseLM(values.lm, 'rules') }
  if (id === undefined) throw new UsageError(`runs ${type} needs a run id. List the ids with "runs list".`)
  if (type !== 'approve') return { type, id }
  const decision = {
    no: values.no === true,
    reason: textOf(values.reason, '--reason', 'the reason for the rejection'),
    edit: textOf(values.edit, '--edit', `arguments as JSON, e.g. '{"amount":80}'`),
  }
  if (decision.no && decision.edit !== undefined)
    throw new UsageError('--no and --edit exclude each other. Pass only one of them.')
  if (!decision.no && decision.reason !== undefined) throw new UsageError('--reason is only valid with --no.')
  return { type, id, name, decision }
}
