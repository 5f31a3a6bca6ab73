/** Traces one call of a real run: its functions from the model's reply to the conversation, and the lookups of its tool. */
import { type Adapter, defaultAdapter, type Turn } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineAction, isTool } from '@x/tool-core'
import { Type } from 'typebox'
import { createReactAgent } from '../src/react-agent.ts'
import { pause } from './approval/payments.ts'
import { MemorySteps } from './steps.ts'
import { answer, call } from './tools.ts'

export interface CallTrace {
  /** Functions as `package/folder/file.ts:function`, in the order in which the call reached them. */
  readonly path: readonly string[]
  /** The stacks in the trace. Each one starts with the outermost function. */
  readonly stacks: readonly (readonly string[])[]
  /** The functions that looked up the tool by name. */
  readonly lookups: readonly string[]
}

const NAME = 'pay'
const PAID = { text: 'paid by the traced call' }

/** Traces a call that writes and requires approval, with a journal, so that it passes all functions. */
export async function traceCall(): Promise<CallTrace> {
  const { stacks, note } = newTrace()
  const agent = await agentOf(note, 1)
  const steps = new NotingSteps(note)
  const run = () => agent.run({ question: 'Pay 5.' }, { steps, approve: () => noteAnd(note, true) })
  const lookups = await lookupsOf(run, note)
  await agent.close()
  return { path: [...new Set(stacks.flat())], stacks, lookups }
}

/** Returns the functions that look up the tool while a run is resumed at its second call. */
export async function traceResume(): Promise<readonly string[]> {
  const { note } = newTrace()
  const agent = await agentOf(note, 2)
  const first = await pause(agent.run({ question: 'Pay 5 twice.' }))
  const second = await pause(agent.resume(first, { c1: true }))
  const lookups = await lookupsOf(() => agent.resume(second, { c2: true }), note)
  await agent.close()
  return lookups
}

function newTrace() {
  const stacks: (readonly string[])[] = []
  return { stacks, note: () => void stacks.push(frames()) }
}

function agentOf(note: () => void, calls: number) {
  const turns = Array.from({ length: calls }, (_, index) => ({ toolCalls: [call(NAME, { amount: 5 }, `c${index + 1}`)] }))
  return createReactAgent({
    lm: scriptedLM([...turns, { text: 'Paid.' }]),
    signature: answer,
    tools: [pay(note)],
    adapter: noting(defaultAdapter(), note),
  })
}

async function lookupsOf(work: () => Promise<unknown>, note: () => void): Promise<readonly string[]> {
  const lookups: string[] = []
  const restore = watch((key, value) => {
    note()
    if (isTool(value) && key === NAME) lookups.push(frames().at(-1) ?? '')
  }, note)
  try {
    await work()
  } finally {
    restore()
  }
  return lookups
}

function pay(note: () => void) {
  return defineAction({
    name: NAME,
    description: 'Pays an amount.',
    effect: 'write',
    needsApproval: true,
    args: Type.Object({ amount: Type.Integer() }),
    output: Type.Object({ text: Type.String() }),
    hooks: { beforeValidate: (args) => noteAnd(note, args) },
    execute: function pay() {
      return noteAnd(note, PAID)
    },
  })
}

class NotingSteps extends MemorySteps {
  readonly #note: () => void

  constructor(note: () => void) {
    super()
    this.#note = note
  }

  override run<T>(key: string, execute: () => Promise<T>): Promise<T> {
    if (!key.startsWith('model')) this.#note()
    return super.run(key, execute)
  }
}

/** Wraps an adapter so that `note` is called when a turn is added to the conversation. */
function noting(adapter: Adapter, note: () => void): Adapter {
  return {
    ...adapter,
    begin: (...task) => {
      const conversation = adapter.begin(...task)
      const append = conversation.append.bind(conversation)
      const onRead = (turn: Turn) =>
        'response' in turn
          ? {
              ...turn,
              get observations() {
                return noteAnd(note, turn.observations)
              },
            }
          : turn
      return Object.assign(conversation, { append: (turn: Turn) => append(onRead(turn)) })
    },
  }
}

function noteAnd<T>(note: () => void, value: T): T {
  note()
  return value
}

/** Watches lookups of the tool by its name, and the serialization of its output. Returns a function that stops watching. */
function watch(onGet: (key: string, value: unknown) => void, onWrite: () => void): () => void {
  const { get } = Map.prototype
  const { stringify } = JSON
  Map.prototype.get = function (this: Map<unknown, unknown>, key: unknown) {
    const value = get.call(this, key)
    if (typeof key === 'string' && key.startsWith(NAME)) onGet(key, value)
    return value
  }
  JSON.stringify = ((value: unknown, ...rest: []) => {
    if ((value as typeof PAID | undefined)?.text === PAID.text) onWrite()
    return stringify(value, ...rest)
  }) as typeof stringify
  return () => {
    Map.prototype.get = get
    JSON.stringify = stringify
  }
}

/** Returns the functions of our packages on the stack, outermost first. */
function frames(): readonly string[] {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = Number.POSITIVE_INFINITY
  const { stack = '' } = new Error('trace')
  Error.stackTraceLimit = limit
  const found = stack.matchAll(/at (?:async )?([^\n(]*?) ?\(?(?:file:\/\/)?[^\n(]*?packages\/([\w-]+)\/src\/([\w/.-]+\.ts)/g)
  return [...found].map(([, name = '', owner, file]) => `${owner}/${file}:${name.replace(/^(?:async |new )/, '')}`).reverse()
}
