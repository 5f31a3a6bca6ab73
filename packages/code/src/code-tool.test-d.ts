/** Events of an agent with `codeTool` have the names of the calls that programs make. Types only. */
import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent } from '@x/react-agent'
import { createRegistry, type Registry } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { codeTool } from './index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

declare const lm: LM
const signature = defineSignature({ instructions: '', inputs: { question: Type.String() }, outputs: { answer: Type.String() } })
const order = defineTool({ name: 'order', description: 'Orders.', args: Type.Object({}), execute: () => 1 })
const look = defineTool({ name: 'look', description: 'Looks.', args: Type.Object({}), execute: () => 2 })

const program = codeTool([order])
expectType<Equal<typeof program.name, 'run_code'>>()
const { name } = codeTool([order], { name: 'program' })
expectType<Equal<typeof name, 'program'>>()

const agent = await createReactAgent({ lm, tools: [program, look], signature })
for await (const event of agent.run({ question: '?' }).stream()) {
  if (event.type !== 'call_finished' || !event.ok) continue
  if (event.name === 'order' || event.name === 'search') expectType<Equal<typeof event.output, unknown>>()
  if (event.name === 'look') expectType<Equal<typeof event.output, number>>()
  if (event.name === 'run_code') event.output.result satisfies unknown
  // @ts-expect-error: no tool has this name.
  if (event.name === 'oder') continue
}

// Names that aren't known.
declare const registry: Registry
const open = await createReactAgent({ lm, tools: [codeTool(registry), look], signature })
for await (const event of open.run({ question: '?' }).stream())
  if (event.type === 'call_finished' && event.ok && event.name === 'order') expectType<Equal<typeof event.output, unknown>>()

const ofRegistry = codeTool(createRegistry([order, look]))
expectType<Equal<(typeof ofRegistry.nested)[number], 'order' | 'look' | 'search' | 'describe'>>()
