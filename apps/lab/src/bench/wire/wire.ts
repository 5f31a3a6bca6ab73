/** The `wire` bench: requests with a thousand tools, and a streamed call of 256 KiB, compared with bare JSON. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rowsText, toDeltas } from '../arguments/arguments-text.ts'
import type { Bench, Cell, Goal, Subject, Workload } from '../bench.ts'
import { STREAMS } from './wire-events.ts'
import { openWireLoop, type WireLoopSubject } from './wire-loop.ts'
import { openSteps, type StepSubject } from './wire-step.ts'
import { openWireStream, type StreamSubject } from './wire-stream.ts'

const OURS = '@x/adapters'
const BASE = 'bare-json'
const TOOLS = 1000
const CALL_LENGTH = 256 * 1024

/** All wires. Not imported from `src/wires.ts`, because processes of other benches would load our packages. */
const WIRES = [...Object.keys(STREAMS), 'gemini', 'mistral', 'ollama']

/** Agent loops over `openai-chat`. */
const LOOPS = [
  { tools: 1, steps: 10 },
  { tools: 1, steps: 50 },
  { tools: 1, steps: 200 },
  { tools: TOOLS, steps: 10 },
]

type WireSubject = StepSubject & StreamSubject & WireLoopSubject
type Open = (subject: WireSubject) => Workload | Promise<Workload>

const steps = WIRES.map((wire): [string, Open] => [stepCase(wire), (subject) => openSteps(subject, wire, TOOLS)])
const streams = Object.keys(STREAMS).map((wire): [string, Open] => [streamCase(wire), (subject) => openLongCall(subject, wire)])
const loops = LOOPS.map((sizes): [string, Open] => [loopCase(sizes), (subject) => openWireLoop(subject, sizes)])
const cases = new Map([...steps, ...streams, ...loops])

// Imported lazily, so that processes of other benches don't load our packages.
const loadSubjects = () => import('./wire-subjects.ts')
const loadLoops = () => import('./wire-loop-subjects.ts')

const subjects: readonly Subject[] = [
  { name: BASE, packages: [], load: async () => ({ ...(await loadSubjects()).stringify, ...(await loadLoops()).bareLoop }) },
  {
    name: OURS,
    packages: [OURS, '@x/tool-core'],
    load: async () => ({ ...(await loadSubjects()).own, ...(await loadLoops()).ownLoop }),
  },
  {
    name: 'ai-sdk',
    packages: ['ai', '@ai-sdk/openai'],
    cases: [stepCase('openai-chat'), ...LOOPS.map(loopCase)],
    load: (peersFolder) => import(pathToFileURL(join(peersFolder, 'src/wire/ai-sdk.mjs')).href),
  },
]

export const wire: Bench = {
  name: 'wire',
  per: 'request or call',
  base: BASE,
  subjects,
  cases: [...cases.keys()],
  goals: [
    ...steps.map(([name]) => beside(name, 1.3)),
    ...streams.map(([name]) => beside(name, 3)),
    beside(loopCase({ tools: 1, steps: 50 }), 2),
    beside(loopCase({ tools: TOOLS, steps: 10 }), 1.3),
    growth(loopCase({ tools: 1, steps: 200 }), loopCase({ tools: 1, steps: 10 }), 1.3),
  ],
  async open(subject, caseName, peersFolder) {
    const open = cases.get(caseName)
    if (open === undefined) throw new Error(`There is no case ${caseName}.`)
    return open((await subject.load(peersFolder)) as WireSubject)
  },
}

function stepCase(name: string): string {
  return `${TOOLS} tools, ${name}`
}

function streamCase(name: string): string {
  return `256 KiB call, ${name}`
}

/** The name of a loop contains the numbers of tools and steps. */
function loopCase({ tools, steps }: (typeof LOOPS)[number]): string {
  return `loop ${tools}/${steps}`
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

function growth(caseName: string, from: string, limit: number): Goal {
  const [cell, over] = [caseName, from].map((name) => ({ subject: OURS, case: name })) as [Cell, Cell]
  return { name: `${caseName} costs at most ${limit} times as much per step as ${from}`, limit, cell, over }
}
