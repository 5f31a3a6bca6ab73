/** The program: runs a command line and sets the exit code. */
import { fileURLToPath } from 'node:url'
import type { Elicit } from '@x/mcp'
import { chooseLM } from './agent/choose-lm.ts'
import { createDemoLM, describeLM } from './agent/lm.ts'
import { ownWordOf } from './agent/own-words.ts'
import { type Command, HELP, parseCommand } from './arguments/arguments.ts'
import { DOMAINS } from './domains/index.ts'
import type { EngineKind } from './durable/engine.ts'
import { reportFailure } from './failure.ts'
import { keptPlace, newPlace } from './places.ts'
import { BROKEN_PIPE, stopOnSignals } from './signals.ts'
import { wrap } from './view/plain-text.ts'
import { createTerminal } from './view/terminal.ts'

const terminal = createTerminal(process.stdout)
// Tests set a longer grace period, because closing takes longer on a busy machine.
const stopping = stopOnSignals(process, Number(process.env.X_GRACE_MS) || undefined)

// An exit listener also runs when the program exits at once, after the grace period or a second signal.
process.once('exit', () => {
  const stopped = stopping.exitCode()
  if (stopped !== undefined && stopped !== BROKEN_PIPE) process.stderr.write('Stopped.\n')
})
let isDurable = false
const code = await main().catch((error: unknown) => stopping.exitCode() ?? reportFailure(error, process.stderr))
process.exitCode = stopping.exitCode() ?? code
// Everything is closed, but DBOS keeps a ten-second timer for each waiting run, so the program exits explicitly.
if (isDurable) process.stdout.write('', () => process.exit())

async function main(): Promise<number> {
  return run(parseCommand(process.argv.slice(2)), stopping.signal)
}

/** Runs a command. Imports only that command, so that the first line appears quickly. */
async function run(command: Command, signal: AbortSignal): Promise<number> {
  if (command.kind === 'help') {
    terminal.line(HELP)
    return 0
  }
  if (command.kind === 'search') return search(command, signal)
  isDurable = command.kind === 'runs' || (command.kind === 'ask' && command.durable !== undefined)
  if (command.kind === 'runs') {
    const { runRuns } = await import('./commands/runs.ts')
    const { durable: kind, action, database } = command
    return (await runRuns({ kind, action, database, ...forWorkers(signal) })) ? 0 : 1
  }
  if (command.kind === 'ask' && command.durable !== undefined) return askDurably({ ...command, durable: command.durable }, signal)
  const entries = DOMAINS.filter(({ name }) => command.domain === undefined || command.domain === name)
  if (command.kind === 'tools') {
    const { listTools } = await import('./commands/tools.ts')
    await listTools(entries, terminal)
    return 0
  }
  if (command.kind === 'serve-mcp') {
    const { runServeMcp } = await import('./commands/serve-mcp.ts')
    const { user, port, database } = command
    await runServeMcp({ entries, user, port, place: keptPlace(database), terminal: createTerminal(process.stderr), signal })
    return 0
  }
  if (command.kind === 'ask' && ownWordOf(command.request) !== undefined) {
    const { showAbilities } = await import('./view/suggestions.ts')
    showAbilities(terminal, entries)
    return 0
  }
  const { choice, why } = command.lm === undefined ? await chooseLM() : { choice: command.lm, why: undefined }
  const lm = await createDemoLM(choice)
  const model = describeLM(choice)
  if (command.kind !== 'eval' || !command.json) showModel(model, why)
  const options = { entries, lm, terminal, signal }
  const forUser = { ...options, isRules: choice.kind === 'rules', canAsk: process.stdin.isTTY === true }
  switch (command.kind) {
    case 'tour': {
      const { runTour } = await import('./commands/tour.ts')
      const program = { file: fileURLToPath(new URL('./killed-program.js', import.meta.url)), model: choice }
      return (await runTour({ ...options, newPlace, program })) ? 0 : 1
    }
    case 'eval': {
      const { runEval } = await import('./commands/eval.ts')
      const { json, together, atLeast } = command
      return (await runEval({ ...options, model, newPlace, json, together, atLeast })) ? 0 : 1
    }
    case 'ask': {
      const [{ runAsk }, openLines] = await Promise.all([import('./commands/ask.ts'), importLines(signal)])
      const { request, user, database, yes, mcp } = command
      const servers = { openServers: serversOf(mcp) }
      return (await runAsk({ ...forUser, ...servers, request, user, yes, openLines, place: keptPlace(database) })) ? 0 : 1
    }
    case 'chat': {
      const [{ runChat }, openLines] = await Promise.all([import('./commands/chat.ts'), importLines(signal)])
      const { user, database, yes, mcp } = command
      return (await runChat({ ...forUser, openServers: serversOf(mcp), user, yes, openLines, place: keptPlace(database) }))
        ? 0
        : 1
    }
  }
}

/** Prints what the servers report, such as a lost connection. */
function serversOf(file: string | undefined) {
  if (file === undefined) return undefined
  return async (elicit: Elicit) => {
    const { openServers } = await import('./agent/mcp-servers.ts')
    return openServers(file, elicit, ({ message }) => {
      for (const line of wrap(message, terminal.width)) terminal.line(terminal.paint('dim', line))
    })
  }
}

async function importLines(signal: AbortSignal) {
  const { readLines } = await import('./view/lines.ts')
  return () => readLines(process, signal)
}

function forWorkers(signal: AbortSignal) {
  return { domains: DOMAINS, createLM: createDemoLM, terminal, signal }
}

type DurableAsk = Extract<Command, { kind: 'ask' }> & { readonly durable: EngineKind }

/** Stores the agent's settings in the run's input, because the process that resumes the run opens the same agent. */
async function askDurably({ durable: kind, id, request, user, domain, lm: named, database }: DurableAsk, signal: AbortSignal) {
  const { runDurableAsk } = await import('./commands/durable-ask.ts')
  const { choice: lm, why } = named === undefined ? await chooseLM() : { choice: named, why: undefined }
  showModel(describeLM(lm), why)
  const model = lm.kind === 'provider' ? `${lm.provider}:${lm.model}` : undefined
  const input = { request, user, domain, model }
  return (await runDurableAsk({ kind, id, input, database, ...forWorkers(signal) })) ? 0 : 1
}

/** Runs `search`, which uses tool descriptions instead of the domains. */
async function search({ request, file, lm: choice }: Extract<Command, { kind: 'search' }>, signal: AbortSignal): Promise<number> {
  const [{ readDocuments }, { runSearch }] = await Promise.all([
    import('./described/read-documents.ts'),
    import('./commands/search.ts'),
  ])
  const lm = await createDemoLM(choice)
  const documents = await readDocuments(file)
  showModel(describeLM(choice))
  const { answered } = await runSearch({ request, documents, lm, terminal, signal })
  return answered ? 0 : 1
}

/** Prints the model and, if the program chose it, the reason. */
function showModel(model: string, why?: string): void {
  const text = `Model: ${model}${why === undefined ? '' : `; ${why}`}`
  for (const line of wrap(text, terminal.width)) terminal.line(terminal.paint('dim', line))
}
