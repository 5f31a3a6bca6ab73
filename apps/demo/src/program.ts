/** Runs a command line. Doesn't access the process, so that tests can run commands in their own process. */
import { fileURLToPath } from 'node:url'
import type { Elicit } from '@x/mcp'
import { chooseLM } from './agent/choose-lm.ts'
import { createDemoLM, describeLM } from './agent/lm.ts'
import { ownWordOf } from './agent/own-words.ts'
import type { LMChoice } from './agent/providers.ts'
import { type Command, HELP, parseCommand } from './arguments/arguments.ts'
import { DOMAINS } from './domains/index.ts'
import type { EngineKind } from './durable/engine.ts'
import { keptPlace, newPlace } from './places.ts'
import type { Console } from './view/lines.ts'
import { wrap } from './view/plain-text.ts'
import { createTerminal, type Screen, type Terminal } from './view/terminal.ts'

export interface Host {
  readonly console: Console & { readonly stdout: Screen; readonly stderr: Screen }
  readonly environment: NodeJS.ProcessEnv
  /** Stops the command. */
  readonly signal: AbortSignal
  /** Prints a failure and returns the exit code. */
  report(error: unknown): number
}

export interface ProgramResult {
  /** The exit code. */
  readonly code: number
  /** True if the command used an engine for durable runs, which may keep timers. */
  readonly isDurable: boolean
}

/** Resolves to the exit code. Never rejects. */
export async function runProgram(words: readonly string[], host: Host): Promise<ProgramResult> {
  let isDurable = false
  try {
    const command = parseCommand(words)
    isDurable = command.kind === 'runs' || (command.kind === 'ask' && command.durable !== undefined)
    return { code: await runCommand(command, host), isDurable }
  } catch (error) {
    return { code: host.report(error), isDurable }
  }
}

/** Runs a command. Imports only its modules, so that the first line appears quickly. */
async function runCommand(command: Command, host: Host): Promise<number> {
  const { console, environment, signal } = host
  const terminal = createTerminal(console.stdout, environment)
  if (command.kind === 'help') {
    terminal.line(HELP)
    return 0
  }
  if (command.kind === 'search') return search(command, terminal, host)
  if (command.kind === 'runs') {
    const { runRuns } = await import('./commands/runs.ts')
    const { durable: kind, action, database } = command
    return (await runRuns({ kind, action, database, ...forWorkers(terminal, host) })) ? 0 : 1
  }
  if (command.kind === 'ask' && command.durable !== undefined)
    return askDurably({ ...command, durable: command.durable }, terminal, host)
  const entries = DOMAINS.filter(({ name }) => command.domain === undefined || command.domain === name)
  if (command.kind === 'tools') {
    const { listTools } = await import('./commands/tools.ts')
    await listTools(entries, terminal)
    return 0
  }
  if (command.kind === 'serve-mcp') {
    const { runServeMcp } = await import('./commands/serve-mcp.ts')
    const { user, port, database } = command
    const place = keptPlace(database, environment)
    await runServeMcp({ entries, user, port, place, terminal: createTerminal(console.stderr, environment), signal })
    return 0
  }
  if (command.kind === 'ask' && ownWordOf(command.request) !== undefined) {
    const { showAbilities } = await import('./view/suggestions.ts')
    showAbilities(terminal, entries)
    return 0
  }
  const { choice, why } = command.lm === undefined ? await chooseLM(environment) : { choice: command.lm, why: undefined }
  const lm = await createDemoLM(choice, environment)
  const model = describeLM(choice)
  if (command.kind !== 'eval' || !command.json) showModel(terminal, model, why)
  const options = { entries, lm, terminal, signal }
  const forUser = { ...options, isRules: choice.kind === 'rules', canAsk: console.stdin.isTTY === true }
  switch (command.kind) {
    case 'tour': {
      const { runTour } = await import('./commands/tour.ts')
      const program = { file: fileURLToPath(new URL('./killed-program.js', import.meta.url)), model: choice }
      return (await runTour({ ...options, newPlace: () => newPlace(environment), program })) ? 0 : 1
    }
    case 'eval': {
      const { runEval } = await import('./commands/eval.ts')
      const { json, together, atLeast } = command
      return (await runEval({ ...options, model, newPlace: () => newPlace(environment), json, together, atLeast })) ? 0 : 1
    }
    case 'ask': {
      const [{ runAsk }, openLines] = await Promise.all([import('./commands/ask.ts'), importLines(host)])
      const { request, user, database, yes, mcp } = command
      const own = { openServers: serversOf(mcp, terminal), openLines, place: keptPlace(database, environment) }
      return (await runAsk({ ...forUser, ...own, request, user, yes })) ? 0 : 1
    }
    case 'chat': {
      const [{ runChat }, openLines] = await Promise.all([import('./commands/chat.ts'), importLines(host)])
      const { user, database, yes, mcp } = command
      const own = { openServers: serversOf(mcp, terminal), openLines, place: keptPlace(database, environment) }
      return (await runChat({ ...forUser, ...own, user, yes })) ? 0 : 1
    }
  }
}

/** Opens the MCP servers of a file, and prints what they report, such as a lost connection. */
function serversOf(file: string | undefined, terminal: Terminal) {
  if (file === undefined) return undefined
  return async (elicit: Elicit) => {
    const { openServers } = await import('./agent/mcp-servers.ts')
    return openServers(file, elicit, ({ message }) => showDim(terminal, message))
  }
}

async function importLines({ console, signal }: Host) {
  const { readLines } = await import('./view/lines.ts')
  return () => readLines(console, signal)
}

function forWorkers(terminal: Terminal, { environment, signal }: Host) {
  const createLM = (choice: LMChoice) => createDemoLM(choice, environment)
  return { domains: DOMAINS, createLM, terminal, signal, environment }
}

type DurableAsk = Extract<Command, { kind: 'ask' }> & { readonly durable: EngineKind }

/**
 * Starts a durable run for a request. Stores the agent's settings in the run's input, because the process that resumes the run must open
 * the same agent.
 */
async function askDurably(command: DurableAsk, terminal: Terminal, host: Host): Promise<number> {
  const { durable: kind, id, request, user, domain, lm: named, database } = command
  const { runDurableAsk } = await import('./commands/durable-ask.ts')
  const { choice: lm, why } = named === undefined ? await chooseLM(host.environment) : { choice: named, why: undefined }
  showModel(terminal, describeLM(lm), why)
  const model = lm.kind === 'provider' ? `${lm.provider}:${lm.model}` : undefined
  const input = { request, user, domain, model }
  return (await runDurableAsk({ kind, id, input, database, ...forWorkers(terminal, host) })) ? 0 : 1
}

type Search = Extract<Command, { kind: 'search' }>

/** Runs `search`, which uses tool descriptions instead of the domains. */
async function search({ request, file, lm: choice }: Search, terminal: Terminal, host: Host): Promise<number> {
  const { environment, signal } = host
  const [{ readDocuments }, { OWN_TOOLS }, { runSearch }] = await Promise.all([
    import('./described/read-documents.ts'),
    import('./described/own-tools.ts'),
    import('./commands/search.ts'),
  ])
  const lm = await createDemoLM(choice, environment)
  const documents = await readDocuments(file, environment)
  showModel(terminal, describeLM(choice))
  if (documents === OWN_TOOLS)
    showDim(terminal, `Tools: the demo's own list. For thousands of tools, pass --tools or set X_CORPORA.`)
  const { answered } = await runSearch({ request, documents, lm, terminal, signal })
  return answered ? 0 : 1
}

/** Prints the model and, if the program chose it, the reason. */
function showModel(terminal: Terminal, model: string, why?: string): void {
  showDim(terminal, `Model: ${model}${why === undefined ? '' : `; ${why}`}`)
}

function showDim(terminal: Terminal, text: string): void {
  for (const line of wrap(text, terminal.width)) terminal.line(terminal.paint('dim', line))
}
