/** `pnpm prompts`: prints how much of its prompt a run of 30 steps keeps, and how many tokens it sends, for each way to offer tools. */
import { textAdapter } from '@x/adapters'
import { hermes } from '@x/adapters/dialects'
import { openaiChat } from '@x/adapters/wire'
import { WIRES } from '../wires.ts'
import { type KeptPrefix, measurePrefix } from './kept-prefix.ts'
import { SEARCHING_APIS } from './provider-search.ts'
import { playTask, type TaskOptions } from './task.ts'

const WAYS: Readonly<Record<string, TaskOptions>> = {
  'search and call_tool': { way: 'call_tool' },
  'the same, oldest turns left out': { way: 'call_tool', maxTokens: 4_000 },
  'search and added tools': { way: 'tools' },
  'all 1,000 tools': { way: 'all' },
}

/** Number of characters per token, approximately. */
const CHARACTERS = 4

const rows: (readonly string[])[] = [['API', 'tools', 'kept of what can be kept', 'tokens', 'of them cached', 'in full']]
for (const [title, options] of Object.entries(WAYS)) {
  const requests = await playTask(options)
  for (const wire of WIRES) rows.push([wire.name, title, ...cells(measurePrefix(requests, wire, 'model'))])
  if (options.way === 'all') continue
  const inText = await playTask({ ...options, adapter: textAdapter(hermes) })
  rows.push(['text mode (hermes)', title, ...cells(measurePrefix(inText, openaiChat, 'model'))])
}
for (const api of SEARCHING_APIS) {
  const requests = await playTask({ way: 'provider', api })
  // Five more calls than with search_tools in the same number of requests, because here a reply with a search also contains a call.
  rows.push([api.wire.name, "the provider's search", ...cells(measurePrefix(requests, api.wire, api.model))])
}
const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
for (const row of rows)
  process.stdout.write(
    `${row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()}\n`,
  )

function cells({ sent, kept, share }: KeptPrefix): readonly string[] {
  const tokens = (characters: number) => Math.round(characters / CHARACTERS).toLocaleString('en-US')
  return [`${(100 * share).toFixed(2)} %`, tokens(sent), tokens(kept), tokens(sent - kept)]
}
