/**
 * The workloads of the `validate` bench: tool calls. The tool must receive the arguments, and an invalid call must return an error message.
 */
import { isDeepStrictEqual } from 'node:util'
import { assertWork, type Sample, type Workload } from '../bench.ts'
import { measureOnce } from '../measure/fresh-workload.ts'
import { BAD_ORDER, closed, ORDER, type Order, orderParameters, WRONG_FIELDS } from './order.ts'

/** The exports of a subject's module. */
export interface ValidateSubject {
  /** Defines the tool that takes an order. */
  defineOrder(definition: ToolDefinition): CallableTool
  /** Defines tools with small schemas: `query`, `limit` (from 1 to `most`) and `unit`. Only `most` differs. */
  defineMany(definitions: readonly ToolDefinition[]): readonly CallableTool[]
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** Builds the JSON Schema of the args, for subjects without their own schema notation. */
  readonly parameters: () => object
  /** Maximum of `limit`. */
  readonly most: number
  execute(args: object): Promise<object>
}

export interface CallableTool {
  /** Validates the args and executes the tool. Returns errors as values, with a message for a model. */
  call(args: Record<string, unknown>): Promise<CallOutcome>
}

export type CallOutcome =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly error: { readonly message: string } }

/** Number of calls per run. It is large enough to make the time for reading the clock negligible. */
const CALLS = 100

/** Creates a workload of valid or invalid calls to one tool, in a warm process. */
export function openCalls(subject: ValidateSubject, kind: 'good' | 'bad'): Workload {
  const desk = new OrderDesk()
  const tool = subject.defineOrder(desk.definition)
  const isGood = kind === 'good'
  const args = isGood ? ORDER : BAD_ORDER
  return {
    units: CALLS,
    async verify() {
      if (isGood) return desk.assertTaken(await tool.call(args))
      desk.assertRefused(await tool.call(args))
      const { ok } = await tool.call({ ...ORDER, coupon: 'X' })
      assertWork(!ok, 'a property that is not in the schema was accepted')
    },
    async run() {
      const before = desk.executions
      for (let left = CALLS; left > 0; left--) {
        const { ok } = await tool.call(args)
        if (ok !== isGood) throw new Error(`A ${kind} call ${ok ? 'succeeded' : 'failed'}.`)
      }
      const executions = desk.executions - before
      const expected = isGood ? CALLS : 0
      if (executions !== expected) throw new Error(`${CALLS} ${kind} calls executed the tool ${executions} times.`)
    },
  }
}

/** Measures the first call in this process: the import of the subject, the definition of one tool, and a valid call. */
export async function takeFirst(load: () => Promise<ValidateSubject>): Promise<Sample> {
  const desk = new OrderDesk()
  let outcome: CallOutcome | undefined
  const sample = await measureOnce(async () => {
    outcome = await (await load()).defineOrder(desk.definition).call(ORDER)
  })
  desk.assertTaken(outcome)
  return sample
}

/** Measures the definition of many tools and the first calls of three of them. The import of the subject isn't included. */
export async function takeMany(load: () => Promise<ValidateSubject>, count: number): Promise<Sample> {
  const subject = await load()
  const definitions = Array.from({ length: count }, (_, index) => manyDefinition(index))
  const called = [0, Math.floor(count / 2), count - 1]
  const outcomes: (CallOutcome | undefined)[] = []
  const sample = await measureOnce(async () => {
    const tools = subject.defineMany(definitions)
    for (const index of called) outcomes.push(await tools[index]?.call({ query: 'x', limit: mostOf(index), unit: 'row' }))
  })
  for (const [place, index] of called.entries()) {
    const outcome = outcomes[place]
    const expected = { name: `list_${index}`, args: { query: 'x', limit: mostOf(index), unit: 'row' } }
    assertWork(outcome?.ok === true && isDeepStrictEqual(outcome.output, expected), `tool ${index} returned ${shown(outcome)}`)
  }
  return sample
}

/** The implementation of the tool that takes orders. */
class OrderDesk {
  executions = 0
  #latest: object | undefined

  readonly definition: ToolDefinition = {
    name: 'place_order',
    description: 'Places an order.',
    parameters: orderParameters,
    most: 0,
    execute: async (args) => {
      this.executions++
      this.#latest = args
      return { order: 'A-1', items: (args as Order).items.length }
    },
  }

  assertTaken(outcome: CallOutcome | undefined): void {
    assertWork(outcome?.ok === true, `a valid call returned ${shown(outcome)}`)
    assertWork(this.executions === 1, `the tool was executed ${this.executions} times, not once`)
    assertWork(isDeepStrictEqual(this.#latest, ORDER), `the tool was executed with ${JSON.stringify(this.#latest)}`)
    const { output } = outcome as { readonly output: unknown }
    assertWork(isDeepStrictEqual(output, { order: 'A-1', items: ORDER.items.length }), `the output was ${JSON.stringify(output)}`)
  }

  assertRefused(outcome: CallOutcome): void {
    assertWork(!outcome.ok, 'an invalid call succeeded')
    assertWork(this.executions === 0, 'an invalid call executed the tool')
    const { message } = (outcome as { readonly error: { readonly message: string } }).error
    for (const field of WRONG_FIELDS) assertWork(message.includes(field), `${JSON.stringify(message)} does not name ${field}`)
  }
}

function manyDefinition(index: number): ToolDefinition {
  const name = `list_${index}`
  const most = mostOf(index)
  const parameters = () =>
    closed({
      query: { type: 'string', minLength: 1 },
      limit: { type: 'integer', minimum: 1, maximum: most },
      unit: { enum: ['page', 'row'] },
    })
  return { name, description: `Lists things, variant ${index}.`, parameters, most, execute: async (args) => ({ name, args }) }
}

/** Returns the maximum of `limit` for a tool. It differs for each tool, so that all schemas differ. */
function mostOf(index: number): number {
  return 10 + index
}

function shown(outcome: CallOutcome | undefined): string {
  if (outcome === undefined) return 'nothing'
  return outcome.ok ? JSON.stringify(outcome.output) : outcome.error.message
}
