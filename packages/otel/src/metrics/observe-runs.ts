/** Observes the runs and the problems of a durable engine. */
import { type Attributes, type Meter, metrics } from '@opentelemetry/api'
import { guarded } from '../guarded.ts'

/** The part of a durable engine that is observed. Engines of `@x/durable` have it. */
export interface ObservableEngine {
  stats(): Promise<{
    readonly queued: number
    readonly running: number
    readonly waiting: number
    readonly held: number
    readonly oldestQueuedMs: number
    readonly crashing?: number | undefined
  }>
}

export interface ObserveRunsOptions {
  /** Name of the engine's runs, exported as the attribute `x.engine.name`. Default: not exported. */
  name?: string | undefined
  /** Meter for the metrics. Default: the meter `@x/otel` of the global provider. */
  meter?: Meter | undefined
}

/**
 * Records gauges of an engine's runs at each collection, with one call of `stats`. If that fails, the collection has no values of this
 * engine. Call the returned function before you close the engine.
 */
export function observeRuns(engine: ObservableEngine, { name, meter = metrics.getMeter('@x/otel') }: ObserveRunsOptions = {}) {
  const runs = meter.createObservableGauge('x.durable.runs', { description: 'Runs that have not ended.', unit: '{run}' })
  const age = meter.createObservableGauge('x.durable.queue.age', { description: 'Age of the oldest queued run.', unit: 's' })
  const crashing = meter.createObservableGauge('x.durable.runs.crashing', {
    description: 'Runs whose worker has died since their last record.',
    unit: '{run}',
  })
  const attributes: Attributes = name === undefined ? {} : { 'x.engine.name': name }
  const observe: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
    const stats = await engine.stats().catch((error: unknown) => {
      guarded('reading the runs of an engine', () => {
        throw error
      })
    })
    if (stats === undefined) return
    for (const state of ['queued', 'running', 'waiting', 'held'] as const)
      result.observe(runs, stats[state], { ...attributes, 'x.run.state': state })
    result.observe(age, stats.oldestQueuedMs / 1000, attributes)
    if (stats.crashing !== undefined) result.observe(crashing, stats.crashing, attributes)
  }
  const instruments = [runs, age, crashing]
  meter.addBatchObservableCallback(observe, instruments)
  return (): void => meter.removeBatchObservableCallback(observe, instruments)
}

/**
 * Returns a function for an engine's option `onProblem`. It counts the engine's problems by code, and then calls `onProblem`, for example to
 * log them.
 */
export function countProblems<Problem extends { readonly code: string }>({
  name,
  meter = metrics.getMeter('@x/otel'),
  onProblem,
}: ObserveRunsOptions & { onProblem?: ((problem: Problem) => void) | undefined } = {}): (problem: Problem) => void {
  const problems = meter.createCounter('x.durable.problems', {
    description: "Problems that an engine's onProblem received.",
    unit: '{problem}',
  })
  const attributes: Attributes = name === undefined ? {} : { 'x.engine.name': name }
  return (problem) => {
    guarded('counting a problem of an engine', () => problems.add(1, { ...attributes, 'error.type': problem.code }))
    onProblem?.(problem)
  }
}
