/** Prints durable runs: the status, pending decisions and result of one, and a list of all. */
import type { WaitsFor } from '@x/durable'
import type { AgentEvent } from '@x/react-agent'
import { createLiveView, showAnswer, showLabelled } from '../view/live-view.ts'
import { oneLine } from '../view/plain-text.ts'
import { layOut } from '../view/table.ts'
import type { Terminal } from '../view/terminal.ts'
import { quoted, type ToCommand } from './command-line.ts'
import { callOf, type Decided } from './decide.ts'
import { type DemoStatus, type RunInput, requestOf } from './run-data.ts'

/** Creates a view that prints the events of several runs. When the run changes, it prints a heading first. */
export function createRunsView(terminal: Terminal) {
  const views = new Map<string, (event: AgentEvent) => void>()
  let shown: string | undefined
  const head = (id: string, request: string) => {
    if (shown === id) return
    shown = id
    terminal.line()
    terminal.line(`${terminal.paint('bold', id)}  ${oneLine(request, Math.max(LEAST_ROOM, terminal.width - id.length - 2))}`)
  }
  return {
    head,
    onEvent(id: string, { request }: RunInput, event: AgentEvent) {
      const view = views.get(id) ?? createLiveView(terminal, request)
      views.set(id, view)
      head(id, request)
      view(event)
    },
  }
}

/** Minimum number of columns for the request. It is limited because an id may be long. */
const LEAST_ROOM = 20

/** Prints what the run is waiting for and the commands to decide and resume, or how it ended. */
export function showStop(terminal: Terminal, status: DemoStatus, toCommand: ToCommand): void {
  const { id, waitsFor, output, failure, state } = status
  for (const waits of waitsFor) showLabelled(terminal, 'waits', 'magenta', wordsOfWait(waits))
  if (waitsFor.length > 0) {
    const name = waitsFor.length === 1 ? '' : ' NAME'
    showLabelled(terminal, '', 'dim', `Approve, reject, or approve with different arguments:`)
    for (const how of ['', ' --no --reason "…"', ` --edit ${quoted(exampleOf(waitsFor[0]))}`])
      showCommand(terminal, toCommand(`runs approve ${id}${name}${how}`))
    showLabelled(terminal, '', 'dim', 'Then resume the run:')
    showCommand(terminal, toCommand(`runs resume ${id}`))
  }
  if (state === 'finished') showAnswer(terminal, { answer: output?.answer ?? '', answered: true })
  for (const name of output?.unknownCalls ?? [])
    showLabelled(terminal, 'unknown', 'red', `${name} may have taken effect. The call was not repeated.`)
  if (failure !== undefined) showAnswer(terminal, { answer: failure.message, answered: false })
  if (state === 'cancelled') showLabelled(terminal, 'ended', 'magenta', 'The run was cancelled.')
}

/** Prints everything about one run. */
export function showRun(terminal: Terminal, status: DemoStatus, toCommand: ToCommand): void {
  const { id, state, startedAt, input, output } = status
  const { user, domain, model } = (input ?? {}) as Partial<RunInput>
  const show = (label: string, text: string) => showLabelled(terminal, label, 'bold', text)
  show('run', id)
  show('state', state)
  show('started', startedAt)
  show('request', requestOf(status))
  show('asked by', `${user}, with ${domain ?? 'all domains'} and ${model ?? 'the rules'}`)
  for (const { tool, args, ok, isRejected } of output?.calls ?? [])
    show('call', `${tool} ${JSON.stringify(args)}${ok ? '' : isRejected === true ? ' (rejected)' : ' (failed)'}`)
  showStop(terminal, status, toCommand)
}

/** Prints the runs in the given order, newest first. */
export function showRuns(terminal: Terminal, runs: readonly DemoStatus[]): void {
  if (runs.length === 0) terminal.line('There are no runs. To start one: npm run demo -- ask "<request>" --durable file')
  const rows = runs.map((run) => [
    run.id,
    run.state,
    run.startedAt.slice(0, 19).replace('T', ' '),
    oneLine(requestOf(run), terminal.width),
  ])
  for (const line of layOut(rows.length === 0 ? [] : [['run', 'state', 'started (UTC)', 'request'], ...rows]))
    terminal.line(oneLineKept(line, terminal.width))
}

/** Prints the decision and the command to resume. */
export function showDecided(terminal: Terminal, { name, decision }: Decided, next: string): void {
  const words =
    decision.type === 'reject' ? 'no' : decision.type === 'edit' ? `yes, with ${JSON.stringify(decision.args)}` : 'yes'
  showLabelled(terminal, 'decided', 'green', `${name}: ${words}`)
  showLabelled(terminal, '', 'dim', 'To resume the run:')
  showCommand(terminal, next)
}

function wordsOfWait(waits: WaitsFor): string {
  const call = callOf(waits)
  return call === undefined ? waits.name : `${waits.name}: ${call.name} ${JSON.stringify(call.args)}`
}

/** Returns one argument with its current value as an example, preferably a number. */
function exampleOf(waits: WaitsFor | undefined): string {
  const args = Object.entries((waits && callOf(waits)?.args) ?? {})
  const [name, value] = args.find(([, found]) => typeof found === 'number') ?? args[0] ?? ['…', '…']
  return JSON.stringify({ [name]: value })
}

/** Prints a command without wrapping it, so that it can be copied. */
function showCommand(terminal: Terminal, command: string): void {
  terminal.line(`${' '.repeat(INDENT)}${terminal.paint('bold', command)}`)
}

const INDENT = 13

/** Truncates a line, but keeps the spaces between its columns. */
function oneLineKept(line: string, width: number): string {
  const characters = [...line]
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line
}
