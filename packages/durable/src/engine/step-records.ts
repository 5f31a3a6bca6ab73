/** The format of a record: one line of JSON per ended step. */
import { type FailureWords, RecordedFailure } from '@x/react-agent/steps'
import type { WaitsFor } from './engine.ts'
import { toFailureWords } from './failure.ts'
import { toJsonText } from './json-text.ts'

/** The recorded outcome of a step. */
export interface StepEnd {
  readonly key: string
  readonly isFailed: boolean
  /** The pending decisions because of which the step failed. Empty unless it waited for one. */
  readonly waits: readonly WaitsFor[]
  /** The step's line in the record, without the line feed. */
  readonly line: string
  /** Returns a new copy of the result each time, or throws the recorded error. */
  give(): unknown
}

/** Creates the line for a step. Throws `invalid_value` for anything but plain data. */
export function toRecordedStep(key: string, value: unknown): StepEnd {
  const json = toJsonText(value, `The result of the step ${JSON.stringify(key)}`)
  return recordedStep(key, `{"step":${JSON.stringify(key)}${json === undefined ? '' : `,"value":${json}`}}`)
}

export function toFailedStep(key: string, cause: unknown, waits: readonly WaitsFor[] = []): StepEnd {
  const failure = toFailureWords(cause)
  const line = JSON.stringify(waits.length === 0 ? { step: key, failure } : { step: key, failure, waits })
  return failedStep(key, line, failure, waits)
}

/** Parses a record. Skips unknown kinds of lines, which a later version may write. */
export function readSteps(record: string): readonly StepEnd[] {
  const steps: StepEnd[] = []
  for (const line of record.split('\n')) {
    const step = line === '' ? undefined : readStep(line)
    if (step !== undefined) steps.push(step)
  }
  return steps
}

function readStep(line: string): StepEnd | undefined {
  const { step, failure, waits = [] } = JSON.parse(line) as RecordedLine
  if (typeof step !== 'string') return undefined
  return failure === undefined ? recordedStep(step, line) : failedStep(step, line, failure, waits)
}

interface RecordedLine {
  readonly step?: unknown
  readonly failure?: FailureWords
  readonly waits?: readonly WaitsFor[]
}

function recordedStep(key: string, line: string): StepEnd {
  return { key, isFailed: false, waits: [], line, give: () => (JSON.parse(line) as { readonly value?: unknown }).value }
}

function failedStep(key: string, line: string, failure: FailureWords, waits: readonly WaitsFor[]): StepEnd {
  const give = () => {
    throw new RecordedFailure(failure)
  }
  return { key, isFailed: true, waits, line, give }
}
