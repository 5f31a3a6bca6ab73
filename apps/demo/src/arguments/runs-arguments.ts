/** Reads the words and options of `runs`, and those of a durable `ask`. */
import { ENGINES, type EngineKind } from '../durable/engine-kinds.ts'
import type { RunsAction } from '../durable/runs-action.ts'
import { assertKnown, type OptionValue, parseLM, textOf } from './option-values.ts'
import { UsageError } from './usage-error.ts'

type Values = Readonly<Record<string, OptionValue>>

/** Undefined where the option is missing. Throws `UsageError`. */
export function parseEngine(value: OptionValue): EngineKind | undefined {
  const name = textOf(value, '--durable', ENGINES.join(', '))
  if (name !== undefined) assertKnown('engine', `"${name}"`, name, ENGINES)
  return name as EngineKind | undefined
}

const ACTIONS = ['list', 'show', 'approve', 'resume', 'cancel'] as const
type ActionType = (typeof ACTIONS)[number]

/** The options that not every action takes. */
const ACTION_OPTIONS: Readonly<Record<string, ActionType>> = { lm: 'resume', no: 'approve', reason: 'approve', edit: 'approve' }

/** How many words follow the action at most. */
const MOST_WORDS: Readonly<Record<ActionType, number>> = { list: 0, show: 1, approve: 2, resume: 1, cancel: 1 }

/** Throws `UsageError`. */
export function parseRunsAction([word = 'list', ...rest]: readonly string[], values: Values): RunsAction {
  assertKnown('action', `"${word}" of runs`, word, ACTIONS)
  const type = word as ActionType
  for (const [option, action] of Object.entries(ACTION_OPTIONS))
    if (values[option] !== undefined && action !== type) throw new UsageError(`runs ${type} takes no --${option}.`)
  const [id, name] = rest
  if (rest.length > MOST_WORDS[type]) throw new UsageError(`Too many words after runs ${type}: "${rest.join(' ')}".`)
  if (type === 'list') return { type }
  if (type === 'resume') return { type, id, lm: values.lm === undefined ? undefined : parseLM(values.lm, 'planner') }
  if (id === undefined) throw new UsageError(`runs ${type} needs the id of a run; "runs list" lists them.`)
  if (type !== 'approve') return { type, id }
  const decision = {
    no: values.no === true,
    reason: textOf(values.reason, '--reason', 'the reason of a no'),
    edit: textOf(values.edit, '--edit', `arguments as JSON, e.g. '{"amount":80}'`),
  }
  if (decision.no && decision.edit !== undefined) throw new UsageError('--no and --edit say two things. Give one of them.')
  if (!decision.no && decision.reason !== undefined) throw new UsageError('--reason says why not: give it with --no.')
  return { type, id, name, decision }
}
