/** Scripts the model: a number of calls to `add` in each turn, then the answer. Can verify that a run skipped no work. */
import { assertWork } from '../bench.ts'

export interface DurableCall {
  readonly id: string
  readonly name: string
  /** The arguments as JSON text. */
  readonly arguments: string
}

/** One turn of the model. The turn with the final answer has no calls. */
export interface DurableReply {
  readonly text: string
  readonly toolCalls: readonly DurableCall[]
}

/** The part of a message that the model looks at. */
export interface Message {
  readonly role?: string
}

/** The second operand of every call. Large enough that a sum won't appear in the history or the records by chance. */
const B = 70_000_000

/** Supplies the turns of the model. A turn is found by the number of replies in the history, so runs may be concurrent. */
export class DurableScript {
  readonly answer = 'Done.'
  /** Number of tool executions so far. */
  executions = 0
  /** Number of model requests so far. */
  asked = 0
  readonly #turns: readonly DurableReply[]
  #watched: string[] | undefined

  /** `tools` are the names of the tools that are called in turn. */
  constructor(turns: number, calls: number, tools: readonly string[] = ['add']) {
    const toName = (number: number) => tools[number % tools.length] as string
    const replies = Array.from({ length: turns }, (_, turn) => ({
      text: '',
      toolCalls: Array.from({ length: calls }, (_, index) => toCall(turn * calls + index + 1, toName(turn * calls + index))),
    }))
    this.#turns = [...replies, { text: this.answer, toolCalls: [] }]
  }

  /** Number of steps in a run: the model calls, including the final one, and the tool calls. */
  get steps(): number {
    return this.#turns.length + this.#calls.length
  }

  next(history: readonly Message[]): DurableReply {
    this.asked++
    this.#watched?.push(JSON.stringify(history))
    let turn = 0
    for (const { role } of history) if (role === 'assistant') turn++
    return this.#turns[turn] as DurableReply
  }

  /** The implementation of all tools. */
  add({ a, b }: { readonly a: number; readonly b: number }): number {
    this.executions++
    return a + b
  }

  /** Executes concurrent runs. Rejects unless all of them end with the answer and execute every step once. */
  async check(...runs: readonly (() => Promise<string>)[]): Promise<void> {
    const [executions, asked] = [this.executions, this.asked]
    for (const text of await Promise.all(runs.map((run) => run())))
      assertWork(text === this.answer, `the run ended with ${JSON.stringify(text)}`)
    const found = [this.executions - executions, this.asked - asked]
    const wanted = [runs.length * this.#calls.length, runs.length * this.#turns.length]
    assertWork(found[0] === wanted[0], `the tool was executed ${found[0]} times, not ${wanted[0]} times`)
    assertWork(found[1] === wanted[1], `the model was asked ${found[1]} times, not ${wanted[1]} times`)
  }

  /** Executes a run. Rejects unless the model sees all previous results in each turn. */
  async watch(run: () => Promise<string>): Promise<void> {
    const histories: string[] = []
    this.#watched = histories
    await this.check(run).finally(() => {
      this.#watched = undefined
    })
    let expected: readonly number[] = []
    for (const [turn, history] of histories.entries()) {
      for (const sum of expected) assertWork(history.includes(String(sum)), `the model was not shown ${sum} in turn ${turn}`)
      expected = [...expected, ...(this.#turns[turn]?.toolCalls ?? []).map(sumOf)]
    }
  }

  /** Throws unless a run's records contain every call, every result and the answer. */
  assertRecorded(records: string): void {
    for (const call of this.#calls) {
      assertWork(records.includes(`${call.id}"`) || records.includes(`${call.id}\\"`), `${call.id} was not recorded`)
      assertWork(records.includes(String(sumOf(call))), `the result of ${call.id} was not recorded`)
    }
    assertWork(records.includes(this.answer), 'the answer was not recorded')
  }

  get #calls(): readonly DurableCall[] {
    return this.#turns.flatMap(({ toolCalls }) => toolCalls)
  }
}

function toCall(number: number, name: string): DurableCall {
  return { id: `call_${number}`, name, arguments: JSON.stringify({ a: number, b: B }) }
}

function sumOf({ arguments: text }: DurableCall): number {
  const { a, b } = JSON.parse(text) as { a: number; b: number }
  return a + b
}
