/** Scripts every subject's model: a call to `add` in each step, then the answer. Can verify that a run skipped no work. */
import { assertWork } from '../bench.ts'

/** Supplies the turns of a subject's model. */
export interface ScriptedModel {
  readonly answer: string
  /** Returns the call of the next turn, or undefined if the model should answer. `history` is the conversation as the model sees it. */
  next(history: unknown): ScriptedCall | undefined
}

export interface ScriptedCall {
  readonly id: string
  readonly name: string
  /** The arguments as JSON text. */
  readonly arguments: string
}

/** The second operand of every call to `add`. Large enough that a sum won't appear in the history by chance. */
const B = 70_000_000

export class LoopScript implements ScriptedModel {
  readonly answer = 'Done.'
  /** Number of tool executions so far. */
  executions = 0
  readonly #calls: readonly ScriptedCall[]
  #turn = 0
  #watched: { readonly histories: string[]; readonly args: unknown[] } | undefined

  constructor(steps: number) {
    this.#calls = Array.from({ length: steps }, (_, index) => ({
      id: `call_${index + 1}`,
      name: 'add',
      arguments: JSON.stringify({ a: index + 1, b: B }),
    }))
  }

  next(history: unknown): ScriptedCall | undefined {
    this.#watched?.histories.push(JSON.stringify(history))
    const call = this.#calls[this.#turn]
    this.#turn = call === undefined ? 0 : this.#turn + 1
    return call
  }

  /** The implementation of the tool. */
  add(args: { a: number; b: number }): number {
    this.#watched?.args.push(args)
    this.executions++
    return args.a + args.b
  }

  /** Runs the loop once. Rejects unless every call was executed with its arguments and the model was shown every result. */
  async verify(loop: { run(): Promise<string> }): Promise<void> {
    const histories: string[] = []
    const args: unknown[] = []
    this.#turn = 0
    this.#watched = { histories, args }
    const text = await loop.run().finally(() => {
      this.#watched = undefined
    })
    const steps = this.#calls.length
    assertWork(text === this.answer, `the run ended with ${JSON.stringify(text)}`)
    assertWork(args.length === steps, `the tool was executed ${args.length} times, not ${steps} times`)
    assertWork(histories.length === steps + 1, `the model was asked ${histories.length} times, not ${steps + 1} times`)
    for (const [index, value] of args.entries()) {
      const { a, b } = value as { a: unknown; b: unknown }
      assertWork(a === index + 1 && b === B, `call ${index + 1} was executed with ${JSON.stringify(value)}`)
    }
    for (const [index, history] of histories.entries()) {
      assertWork(
        index === 0 || history.length > (histories[index - 1] as string).length,
        `the history did not grow in step ${index}`,
      )
      for (let step = 1; step <= index; step++)
        assertWork(history.includes(String(B + step)), `the model was not shown the result of step ${step}`)
    }
  }
}
