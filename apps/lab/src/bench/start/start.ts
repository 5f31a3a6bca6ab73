/** The `start` bench: the import of what an agent needs, in a new process, and what is installed for it. */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Bench, Limit, Sample, Subject, Table } from '../bench.ts'
import { measureOnce, openFresh } from '../measure/fresh-workload.ts'
import { measureInstall } from './install.ts'

const OURS = '@x/react-agent'
const BASE = 'typebox'
const AGENT = 'agent'
const CREATED = 'agent created'
const DIALECTS = 'dialects'
const MOST_MS = 30

/** The packages of an agent that calls an API, as a program would list them. */
const STACK = ['@x/react-agent', '@x/adapters', '@x/lm', '@x/tool-core', 'typebox']

const subjects: readonly Subject[] = [
  { name: BASE, packages: ['typebox'], load: () => import('typebox') },
  { name: OURS, packages: STACK, load: importAgent },
  peer('wire/ai-sdk', ['ai', '@ai-sdk/openai']),
  peer('tanstack', ['@tanstack/ai', 'zod']),
  peer('ax', ['@ax-llm/ax']),
  peer('openai-agents', ['@openai/agents', 'zod']),
  peer('langchain', ['langchain', '@langchain/core', 'zod']),
  peer('mastra', ['@mastra/core', 'zod']),
]

const limits = [AGENT, DIALECTS].map(
  (caseName): Limit => ({
    name: `${caseName}: at most ${MOST_MS} ms`,
    most: MOST_MS * 1000,
    cell: { subject: OURS, case: caseName },
    by: 'cpu',
  }),
)

export const start: Bench = {
  name: 'start',
  per: 'import',
  base: BASE,
  subjects,
  cases: [AGENT, CREATED, DIALECTS],
  goals: [],
  limits,
  async open(subject, caseName, peersFolder) {
    return openFresh({
      program: join(import.meta.dirname, 'bench-fresh.js'),
      args: ['start', subject.name, caseName, peersFolder],
    })
  },
  async takeOnce(subject, caseName, peersFolder): Promise<Sample> {
    const load = (subject.name === OURS ? OTHERS[caseName] : undefined) ?? (() => subject.load(peersFolder))
    // Other threads may still be busy with the start of the process.
    await setTimeout(SETTLE_MS)
    return measureOnce(async () => void (await load()))
  },
  async tabulate(): Promise<Table> {
    const lab = join(import.meta.dirname, '..')
    const rows = subjects
      .filter(({ name }) => name !== BASE)
      .map(({ name, packages }) => {
        const { packages: count, bytes } = measureInstall(packages, [join(lab, 'peers'), lab].slice(name === OURS ? 1 : 0))
        return [name, count, bytes / 1e6]
      })
    return { title: 'installed', head: ['subject', 'packages', 'MB'], rows }
  },
}

const SETTLE_MS = 50

/** What our package loads in the other cases. */
const OTHERS: Readonly<Record<string, () => Promise<unknown>>> = {
  [CREATED]: createAgent,
  [DIALECTS]: () => import('@x/adapters/dialects'),
}

/** Imports an agent, all wire formats, and `Type`. */
function importAgent() {
  return Promise.all([
    import('@x/react-agent'),
    import('@x/adapters/wire'),
    import('@x/lm'),
    import('@x/tool-core'),
    import('@x/tool-core/type'),
  ])
}

async function createAgent(): Promise<unknown> {
  const [{ createReactAgent }, , , { defineTool }, { Type }] = await importAgent()
  const { defineSignature } = await import('@x/adapters')
  return createReactAgent({
    // `createLM` would load Node's `fetch`, which takes as long as all of our code.
    lm: { generate: async () => ({ text: '', toolCalls: [] }) },
    signature: defineSignature('question -> answer'),
    tools: [defineTool({ name: 'look', description: 'Looks.', args: Type.Object({ city: Type.String() }), execute: () => 1 })],
  })
}

function peer(file: string, packages: readonly string[]): Subject {
  const load = (peersFolder: string) => import(pathToFileURL(join(peersFolder, 'src', `${file}.mjs`)).href)
  return { name: file.replace('wire/', ''), packages, cases: [AGENT], load }
}
