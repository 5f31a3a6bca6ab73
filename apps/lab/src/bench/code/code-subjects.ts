/**
 * The subjects that run the programs: QuickJS alone, and our code mode in the caller's thread, in a worker, and with a journal in a file.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { defineSignature, type LM } from '@x/adapters'
import { codeTool } from '@x/code'
import { fileJournal } from '@x/durable'
import { createReactAgent } from '@x/react-agent'
import type { Steps } from '@x/react-agent/steps'
import { callTool, defineTool, type Tool } from '@x/tool-core'
import { Type } from 'typebox'
import { BareModule } from './bare-module.ts'
import type { CodeHost, CodeRunner, CodeSubject } from './code-workload.ts'

const toolOf = ({ look }: CodeHost): Tool =>
  defineTool({
    name: 'look',
    description: 'Returns a record.',
    args: Type.Object({ value: Type.Number() }),
    effect: 'read',
    execute: look,
  }) as unknown as Tool

/** A direct `callTool` settles the promise of each call from outside. Nothing is isolated, limited or recorded. */
export const bare: CodeSubject = {
  async open(host) {
    const tool = toolOf(host)
    const module = await BareModule.load()
    return {
      run: (program) => module.run(program, async (args) => outputOf(await callTool(tool, { id: '1', name: 'look', args }))),
    }
  },
}

/** The same, with an additional empty round trip to a worker for each call. The calls of one `Promise.all` share a round trip. */
export const bareWithTrip: CodeSubject = {
  async open(host) {
    const tool = toolOf(host)
    const module = await BareModule.load()
    const worker = new Worker(
      "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m))",
      {
        eval: true,
      },
    )
    worker.unref()
    let trip: Promise<void> | undefined
    const roundTrip = () => {
      trip ??= new Promise<void>((resolve) => {
        worker.once('message', () => resolve())
        worker.postMessage(0)
      }).then(() => {
        trip = undefined
      })
      return trip
    }
    return {
      async run(program) {
        worker.ref()
        try {
          return await module.run(program, async (args) => {
            await roundTrip()
            return outputOf(await callTool(tool, { id: '1', name: 'look', args }))
          })
        } finally {
          worker.unref()
        }
      },
    }
  },
}

export const inline: CodeSubject = { open: (host) => openOurs(host, { inline: true }) }
export const worker: CodeSubject = { open: (host) => openOurs(host, { inline: false }) }

/**
 * Calls from inside a tool call without a sandbox: the program is a function of this process. Measures the cost of the calls without
 * QuickJS.
 */
export const nested: CodeSubject = { open: (host) => openAgentOf(host, unsandboxed(), false) }

/** In the caller's thread, with a journal in a file. The journal is written without `fsync`. */
export const journaled: CodeSubject = { open: (host) => openOurs(host, { inline: true, hasJournal: true }) }

function openOurs(host: CodeHost, { inline, hasJournal = false }: { inline: boolean; hasJournal?: boolean }) {
  const code = codeTool([toolOf(host)], { inline, limits: { calls: host.calls, timeMs: 60_000 } })
  return openAgentOf(host, code as unknown as Tool, hasJournal)
}

/** Creates a tool that runs a program as a function of this process. */
function unsandboxed(): Tool {
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
    ...texts: string[]
  ) => (tools: object) => Promise<unknown>
  return defineTool({
    name: 'run_code',
    description: 'Runs a program.',
    args: Type.Object({ code: Type.String() }),
    nested: ['look'],
    execute: async ({ code }, { call }) => ({
      result: await new AsyncFunction('tools', code)({ look: (args: object) => call({ name: 'look', args }) }),
    }),
  }) as unknown as Tool
}

/** Creates a runner for an agent whose model runs one program. */
async function openAgentOf(host: CodeHost, code: Tool, hasJournal: boolean): Promise<CodeRunner> {
  let program = ''
  let output: unknown
  const lm: LM = {
    generate: async ({ messages }) => {
      const last = messages.at(-1)
      if (last?.role !== 'tool')
        return { text: '', toolCalls: [{ id: 'c1', name: 'run_code', arguments: JSON.stringify({ code: program }) }] }
      output = JSON.parse(String(last.content))
      return { text: 'Done.', toolCalls: [] }
    },
  }
  const agent = await createReactAgent({
    lm,
    tools: [code, toolOf(host)],
    signature: defineSignature({ instructions: '', inputs: { question: Type.String() }, outputs: { answer: Type.String() } }),
    maxParallelCalls: 50,
  })
  return {
    async run(text: string) {
      program = text
      if (hasJournal) await withJournal((steps) => agent.run({ question: '?' }, { id: 'r', steps }))
      else await agent.run({ question: '?' }, { id: 'r' })
      return (output as { readonly result: unknown }).result
    },
  }
}

async function withJournal(work: (steps: Steps) => Promise<unknown>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-code-'))
  try {
    const journal = await fileJournal(join(folder, 'run.jsonl'), { fsync: false })
    await work(journal)
    await journal.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function outputOf(result: Awaited<ReturnType<typeof callTool>>): unknown {
  if (!result.ok) throw result.error
  return result.output
}
