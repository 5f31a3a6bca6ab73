/** The agents of a load test. Their model follows a script, so it is the same in every process. */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineSignature, type LM } from '@x/adapters'
import type { DurableRun, RunFunction } from '@x/durable'
import { createReactAgent } from '@x/react-agent'
import { together } from '@x/react-agent/steps'
import { defineTool, type Effect } from '@x/tool-core'
import { Type } from 'typebox'
import { addLine } from './log.ts'
import { AMOUNT, callId, type Death, type Kind, type LoadOutput, SCRIPTS, stopFile } from './scripts.ts'

const MODEL_MS = 2
const SLOW_MODEL_MS = 4000

const DEATHS: Readonly<Record<Death, () => void>> = {
  sigkill: () => process.kill(process.pid, 'SIGKILL'),
  exit: () => process.exit(1),
  memory: () => {
    const all: number[][] = []
    for (;;) all.push(new Array(1_000_000).fill(0.5))
  },
}

/** Creates the function of the runs. The input of a run is the name of its script. */
export async function createFunction(log: string): Promise<RunFunction<Kind, LoadOutput>> {
  const agents = new Map(
    await Promise.all((Object.keys(SCRIPTS) as Kind[]).map(async (kind) => [kind, await createAgent(kind, log)] as const)),
  )
  return async (kind, run) => {
    const agent = agents.get(kind)
    if (agent === undefined) throw new Error(`There is no script "${kind}".`)
    const { outputs, unknownCalls } = await agent.run(
      { question: 'What has to be done?' },
      { ...run, steps: loggedSteps(run, log) },
    )
    return { answer: outputs.answer, unknown: unknownCalls.map((call) => call.callId) }
  }
}

function createAgent(kind: Kind, log: string) {
  const script = SCRIPTS[kind]
  const lm: LM = {
    async generate({ messages }) {
      const isSlow = kind === 'slow'
      await sleep(isSlow ? SLOW_MODEL_MS : MODEL_MS)
      const turn = messages.filter(({ role }) => role === 'assistant').length
      const name = isSlow && existsSync(stopFile(log)) ? undefined : script[turn]
      if (name === undefined) return { text: 'Done.', toolCalls: [], finishReason: 'stop' }
      return { text: '', toolCalls: [{ id: callId(turn), name, arguments: `{"amount":${AMOUNT}}` }], finishReason: 'tool-calls' }
    },
  }
  const define = (name: string, effect: Effect, execute = () => {}) =>
    defineTool({
      name,
      description: `The tool ${name}.`,
      args: Type.Object({ amount: Type.Number() }),
      effect,
      needsApproval: name === 'pay',
      execute({ amount }, { idempotencyKey }) {
        const [run = '', call = ''] = idempotencyKey.split('/')
        addLine(log, 'effect', run, call, amount)
        execute()
        return 'done'
      },
    })
  return createReactAgent({
    lm,
    signature: defineSignature({ instructions: '', inputs: { question: Type.String() }, outputs: { answer: Type.String() } }),
    tools: [
      define('read', 'read'),
      define('write', 'write'),
      define('idempotent', 'idempotent'),
      define('pay', 'write'),
      // A call with an effect would be reported as unknown instead of being repeated.
      ...(Object.keys(DEATHS) as Death[]).map((name) => define(name, 'read', DEATHS[name])),
    ],
    maxSteps: 2 * (script.length + 1),
  })
}

/** Adds a line when an intent is about to be recorded, when the result of a call is recorded, and when the run needs a decision. */
function loggedSteps({ id, steps }: DurableRun, log: string): DurableRun['steps'] {
  return {
    async run(key, execute) {
      const [, kind, call = ''] = /^(intent|call)-(.+)$/.exec(key) ?? []
      const value = await steps.run(key, () => {
        if (kind === 'intent') addLine(log, 'intent', id, call)
        return execute()
      })
      if (kind === 'call') addLine(log, 'recorded', id, call)
      return value
    },
    wait(name, about) {
      addLine(log, 'waits', id, name)
      return steps.wait(name, about)
    },
    together: (keys, work) => together(steps, keys, work),
  }
}
