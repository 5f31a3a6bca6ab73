/** The workload of the `loop` bench: an agent loop that must call `add` in every step and end with the scripted answer. */
import type { Workload } from '../bench.ts'
import { LoopScript, type ScriptedModel } from './loop-script.ts'

/** The exports of a subject's module. */
export interface LoopSubject {
  createLoop(options: LoopOptions): Loop | Promise<Loop>
}

export interface LoopOptions {
  /** The model calls only the first tool. The other tools are offered but never called. */
  readonly tools: readonly LoopTool[]
  /** Number of calls before the answer. */
  readonly steps: number
  /** The script of the subject's model. */
  readonly script: ScriptedModel
  readonly prompt: string
}

export interface LoopTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, for subjects without their own schema notation. */
  readonly parameters: object
  execute(args: { a: number; b: number }): number
}

export interface Loop {
  /** Runs one complete loop. Resolves to the final text. */
  run(): Promise<string>
}

export async function openLoop(
  subject: LoopSubject,
  { tools: count, steps }: { tools: number; steps: number },
): Promise<Workload> {
  const script = new LoopScript(steps)
  const tools = Array.from({ length: count }, (_, index) => toTool(index, script))
  const loop = await subject.createLoop({ tools, steps, script, prompt: 'Add the numbers.' })
  return {
    units: steps,
    verify: () => script.verify(loop),
    async run() {
      const before = script.executions
      const text = await loop.run()
      const executions = script.executions - before
      if (text !== script.answer) throw new Error(`A run ended with ${JSON.stringify(text)}.`)
      if (executions !== steps) throw new Error(`A run executed the tool ${executions} times, not ${steps} times.`)
    },
  }
}

function toTool(index: number, script: LoopScript): LoopTool {
  const number = { type: 'number' }
  return {
    name: index === 0 ? 'add' : `add_${index}`,
    description: `Adds two numbers, variant ${index}.`,
    parameters: { type: 'object', properties: { a: { ...number }, b: { ...number } }, required: ['a', 'b'] },
    execute: (args) => script.add(args),
  }
}
