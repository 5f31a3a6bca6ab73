/** Parses the command line. An error suggests the nearest valid command or option. */
import { parseArgs } from 'node:util'
import type { LMChoice } from '../agent/providers.ts'
import { DOMAINS } from '../domains/index.ts'
import type { EngineKind } from '../durable/engine.ts'
import { UsageError } from '../failure.ts'
import { assertKnown, parseLM, parsePercentage, parsePort, textOf } from './option-values.ts'
import type { RunsAction } from './runs-arguments.ts'
import { parseEngine, parseRunsAction } from './runs-arguments.ts'

/** Options for most commands. */
interface Common {
  readonly domain?: string | undefined
  readonly lm: LMChoice
}

/** Options for commands that act for a user. */
interface Personal {
  readonly domain?: string | undefined
  /** Undefined if the program should choose a model. */
  readonly lm?: LMChoice | undefined
  readonly database?: string | undefined
  readonly user?: string | undefined
  /** Approves every call. */
  readonly yes: boolean
  /** A configuration file with MCP servers. */
  readonly mcp?: string | undefined
}

export type Command =
  | ({ readonly kind: 'tour' } & Common)
  | ({ readonly kind: 'eval'; readonly json: boolean; readonly together: boolean; readonly atLeast: number } & Common)
  | ({
      readonly kind: 'ask'
      readonly request: string
      /** Engine of the durable run. Undefined if the run isn't durable. */
      readonly durable?: EngineKind | undefined
      /** Id of the durable run. */
      readonly id?: string | undefined
    } & Personal)
  | { readonly kind: 'runs'; readonly durable: EngineKind; readonly action: RunsAction; readonly database?: string | undefined }
  | ({ readonly kind: 'chat' } & Personal)
  | {
      readonly kind: 'serve-mcp'
      readonly domain?: string | undefined
      readonly database?: string | undefined
      readonly user?: string | undefined
      /** Port for HTTP. Undefined for standard input and output. */
      readonly port?: number | undefined
    }
  | { readonly kind: 'search'; readonly request: string; readonly file?: string | undefined; readonly lm: LMChoice }
  | { readonly kind: 'tools'; readonly domain?: string | undefined }
  | { readonly kind: 'help' }

/** Minimum percentage of served requests in an evaluation. */
const AT_LEAST = 85

export const HELP = `The demo of @x: an agent that answers requests by calling tools.

  npm run demo                          the tour: a few requests for every domain,
                                        and a table of the results
  npm run demo -- ask "<request>"       answer one request with the tools of all
                                        domains; the database is kept for the
                                        next ask, memories aren't
  npm run demo -- ask "<request>" --durable file
                                        answer it in a durable run, which survives
                                        this process and waits for approvals
  npm run demo -- runs                  list the durable runs; also: runs show ID,
                                        runs approve ID [NAME], runs resume [ID],
                                        runs cancel ID
  npm run demo -- chat                  have a conversation
  npm run demo -- eval                  run all requests of all domains: served
                                        requests, precision, recall and F1
  npm run demo -- search "<request>"    answer one request with many tools: the
                                        model searches for the few that fit and sees
                                        no others; the tools are only descriptions, so
                                        calling them fails
  npm run demo -- tools                 list the tools and their arguments
  npm run -s demo -- serve-mcp          serve the tools to an MCP client, over standard
                                        input and output, or over HTTP with --port;
                                        the client asks its user before each call that
                                        changes something
  npm run demo -- --help                this text

Options
  --domain <name>   only this domain: ${DOMAINS.slice(0, 4)
    .map(({ name }) => name)
    .join(', ')},
                    ${DOMAINS.slice(4)
                      .map(({ name }) => name)
                      .join(', ')}
  --lm <model>      "rules" (not a model) or "<provider>:<model>", e.g.
                    openai:gpt-5-mini. Providers: openai, anthropic, google,
                    mistral, cohere, bedrock, ollama, groq, xai, deepseek, together,
                    fireworks, openrouter, moonshot, alibaba, vllm, llamaCpp,
                    lmStudio. Keys are read from the environment, e.g.
                    ANTHROPIC_API_KEY; OPENAI_BASE_URL replaces the address of
                    openai. Default for ask and chat: the server at
                    OPENAI_BASE_URL, a provider with a key, a local Ollama, or else
                    the rules. Default for the tour and eval: the rules. Default for
                    search: "searcher", which only searches
  --yes             ask, chat: approve every call. Otherwise the program asks before
                    a call that moves money, and with the rules before every call
                    that changes something. Without a terminal, such a call is
                    refused
  --mcp <file>      ask, chat: also use the MCP servers of a configuration file in the
                    format of desktop clients ("mcpServers"). A call requires
                    approval unless its tool is known to only read
  --port <n>        serve-mcp: serve at http://127.0.0.1:<n>/mcp; 0 for a free port
  --db <file>       ask, runs, chat, serve-mcp: database of shop and bank, or ":memory:".
                    Default: apps/demo/.data/demo.sqlite. File-based durable runs
                    are stored beside it, in "runs", or in X_RUNS
  --user <name>     ask, chat, serve-mcp: user of the requests; the bank has
                    accounts for demo and bob. Default: demo
  --durable <engine>
                    ask, runs: where runs are stored. "file"; "dbos", in the
                    PostgreSQL of DATABASE_URL; or "restate", on the server at
                    RESTATE_INGRESS_URL and RESTATE_ADMIN_URL (default:
                    http://127.0.0.1:8080 and :9070). Default for runs: file
  --id <id>         ask --durable: id of the run. Default: generated
  --no, --reason <text>, --edit '{"amount":80}'
                    runs approve: reject the call, with a reason; or approve it
                    with different arguments
  --tools <file>    search: a JSON list of { name, description, parameters }.
                    Default: the 4,076 tools of Seal-Tools in the corpora, at
                    X_CORPORA or in ../shared/corpora, or else a list of the demo
  --together        eval: give every request the tools of all domains, as in ask
                    and chat. Default: those of its own domain
  --json            eval: print one JSON object and nothing else (npm run -s demo -- …)
  --at-least <n>    eval: minimum percentage of served requests. Default: ${AT_LEAST}

DATABASE_URL=postgres://… uses PostgreSQL instead of SQLite, unless --db names
a file: ask and chat keep their tables in the schema "x_demo"; tour and eval use
a temporary schema.

Exit codes: 0 success, 1 a request or the model failed, 2 invalid command line,
130 stopped by Ctrl-C`

/** Parses the words after `npm run demo --`. Throws {@link UsageError}. */
export function parseCommand(words: readonly string[]): Command {
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    options: {
      domain: { type: 'string' },
      lm: { type: 'string' },
      db: { type: 'string' },
      user: { type: 'string' },
      tools: { type: 'string' },
      json: { type: 'boolean' },
      together: { type: 'boolean' },
      'at-least': { type: 'string' },
      durable: { type: 'string' },
      id: { type: 'string' },
      no: { type: 'boolean' },
      reason: { type: 'string' },
      edit: { type: 'string' },
      yes: { type: 'boolean' },
      port: { type: 'string' },
      mcp: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const options = tokens.filter((token) => token.kind === 'option')
  for (const { name, rawName } of options) assertKnown('option', rawName, name, Object.keys(OPTIONS))
  if (values.help !== undefined) return { kind: 'help' }
  const [name = 'tour', ...rest] = positionals
  assertKnown('command', `"${name}"`, name, COMMANDS)
  const kind = name as Command['kind']
  if (kind === 'help') return { kind }
  for (const { name, rawName } of options)
    if (!OPTIONS[name]?.includes(kind)) throw new UsageError(`${kind === 'tour' ? 'The tour' : kind} doesn't accept ${rawName}.`)
  if (kind === 'runs') {
    const database = textOf(values.db, '--db', 'a file')
    return { kind, durable: parseEngine(values.durable) ?? 'file', action: parseRunsAction(rest, values), database }
  }
  const request = rest.join(' ').trim()
  if (kind !== 'ask' && kind !== 'search' && request !== '')
    throw new UsageError(`Too many arguments after ${kind}: "${request}".`)
  if (kind === 'search') {
    if (request === '') throw new UsageError(`search needs a request, e.g. npm run demo -- search "${SEARCH_EXAMPLE}"`)
    const file = textOf(values.tools, '--tools', 'a JSON file')
    return { kind, request, file, lm: parseLM(values.lm, 'searcher') }
  }
  const domain = textOf(values.domain, '--domain', DOMAIN_NAMES.join(', '))
  if (domain !== undefined) assertKnown('domain', `"${domain}"`, domain, DOMAIN_NAMES)
  if (kind === 'tools') return { kind, domain }
  if (kind === 'tour') return { kind, domain, lm: parseLM(values.lm, 'rules') }
  if (kind === 'eval') {
    const lm = parseLM(values.lm, 'rules')
    const atLeast = parsePercentage(values['at-least'], AT_LEAST)
    return { kind, domain, lm, json: values.json === true, together: values.together === true, atLeast }
  }
  const database = textOf(values.db, '--db', 'a file, or :memory:')
  const user = textOf(values.user, '--user', 'a name')
  if (kind === 'serve-mcp') return { kind, domain, database, user, port: parsePort(values.port) }
  const lm = values.lm === undefined ? undefined : parseLM(values.lm, 'rules')
  const yes = values.yes === true
  const mcp = textOf(values.mcp, '--mcp', 'a configuration file with "mcpServers"')
  if (kind === 'chat') return { kind, domain, lm, database, user, yes, mcp }
  if (request === '') throw new UsageError('ask needs a request, e.g. npm run demo -- ask "Find laptops under 1000 dollars"')
  const durable = parseEngine(values.durable)
  const id = textOf(values.id, '--id', 'a durable run id')
  if (id !== undefined && durable === undefined) throw new UsageError('--id is only valid with --durable.')
  if (yes && durable !== undefined) throw new UsageError("--yes isn't valid with --durable. Approve calls with runs approve.")
  if (mcp !== undefined && durable !== undefined) throw new UsageError("--mcp isn't valid with --durable.")
  return { kind, request, domain, lm, database, user, yes, mcp, durable, id }
}

const COMMANDS = ['tour', 'ask', 'runs', 'chat', 'eval', 'search', 'tools', 'serve-mcp', 'help'] as const
const SEARCH_EXAMPLE = 'Provide me with climate data for the region of Europe'
const DOMAIN_NAMES = DOMAINS.map(({ name }) => name)

/** Each option with the commands that accept it. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  domain: ['tour', 'ask', 'chat', 'eval', 'tools', 'serve-mcp'],
  lm: ['tour', 'ask', 'runs', 'chat', 'eval', 'search'],
  db: ['ask', 'runs', 'chat', 'serve-mcp'],
  user: ['ask', 'chat', 'serve-mcp'],
  tools: ['search'],
  json: ['eval'],
  together: ['eval'],
  'at-least': ['eval'],
  durable: ['ask', 'runs'],
  id: ['ask'],
  no: ['runs'],
  reason: ['runs'],
  edit: ['runs'],
  yes: ['ask', 'chat'],
  mcp: ['ask', 'chat'],
  port: ['serve-mcp'],
  help: COMMANDS,
}
