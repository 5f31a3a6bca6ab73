/** The `wire` bench: requests with a thousand tools, and a streamed call of 256 KiB, compared with bare JSON. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rowsText, toDeltas } from '../arguments/arguments-text.ts'
import type { Bench, Goal, Subject, Workload } from '../bench.ts'
import { STREAMS } from './wire-events.ts'
import { openSteps, type StepSubject } from './wire-step.ts'
import { openWireStream, type StreamSubject } from './wire-stream.ts'

const OURS = '@x/adapters'
const BASE = 'bare-json'
const TOOLS = 1000
const CALL_LENGTH = 256 * 1024

const WIRES = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'mistral',
  'cohere-v2',
  'bedrock-converse',
  'ollama',
]

type Open = (subject: StepSubject & StreamSubject) => Workload | Promise<Workload>

const steps = WIRES.map((wire): [string, Open] => [stepCase(wire), (subject) => openSteps(subject, wire, TOOLS)])
const streams = Object.keys(STREAMS).map((wire): [string, Open] => [streamCase(wire), (subject) => openLongCall(subject, wire)])
const cases = new Map([...steps, ...streams])

// Imported lazily, so that processes of other benches don't load our packages.
const loadSubjects = () => import('./wire-subjects.ts')

const subjects: readonly Subject[] = [
  { name: BASE, packages: [], load: async () => (await loadSubjects()).stringify },
  { name: OURS, packages: [OURS, '@x/tool-core'], load: async () => (await loadSubjects()).own },
  {
    name: 'ai-sdk',
    packages: ['ai', '@ai-sdk/openai'],
    cases: [stepCase('openai-chat')],
    load: (peersFolder) => import(pathToFileURL(join(peersFolder, 'src/wire/ai-sdk.mjs')).href),
  },
]

export const wire: Bench = {
  name: 'wire',
  per: 'request or call',
  base: BASE,
  subjects,
  cases: [...cases.keys()],
  goals: [...steps.map(([name]) => beside(name, 1.3)), ...streams.map(([name]) => beside(name, 3))],
  async open(subject, caseName, peersFolder) {
    const open = cases.get(caseName)
    if (open === undefined) throw new Error(`There is no case ${caseName}.`)
    return open((await subject.load(peersFolder)) as StepSubject & StreamSubject)
  },
}

function stepCase(name: string): string {
  return `${TOOLS} tools, ${name}`
}

function streamCase(name: string): string {
  return `256 KiB call, ${name}`
}

function openLongCall(subject: StreamSubject, name: string): Workload {
  const text = rowsText(CALL_LENGTH)
  const events = STREAMS[name]?.(toDeltas(text)).map((event) => JSON.stringify(event)) ?? []
  return openWireStream(subject, name, events, text)
}

function beside(caseName: string, limit: number): Goal {
  return {
    name: `${caseName}: at most ${limit} times ${BASE}`,
    limit,
    cell: { subject: OURS, case: caseName },
    over: { subject: BASE, case: caseName },
  }
}
