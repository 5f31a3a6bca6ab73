/** The words of the command line become a command, or an error with the nearest correct one. */
import { parseArgs } from 'node:util'
import type { LMChoice } from '../agent/providers.ts'
import { DOMAINS } from '../domains/index.ts'
import type { EngineKind } from '../durable/engine-kinds.ts'
import type { RunsAction } from '../durable/runs-action.ts'
import { assertKnown, parseLM, parsePercentage, textOf } from './option-values.ts'
import { parseEngine, parseRunsAction } from './runs-arguments.ts'
import { UsageError } from './usage-error.ts'

/** What most commands take. */
interface Common {
  readonly domain?: string | undefined
  readonly lm: LMChoice
}

/** What a command that works for somebody takes. */
interface Personal extends Common {
  readonly database?: string | undefined
  readonly user?: string | undefined
}

export type Command =
  | ({ readonly kind: 'tour' } & Common)
  | ({ readonly kind: 'eval'; readonly json: boolean; readonly together: boolean; readonly atLeast: number } & Common)
  | ({
      readonly kind: 'ask'
      readonly request: string
      /** Makes it a durable run. */
      readonly durable?: EngineKind | undefined
      /** Of the durable run. */
      readonly id?: string | undefined
    } & Personal)
  | { readonly kind: 'runs'; readonly durable: EngineKind; readonly action: RunsAction; readonly database?: string | undefined }
  | ({ readonly kind: 'chat' } & Personal)
  | { readonly kind: 'search'; readonly request: string; readonly file?: string | undefined; readonly lm: LMChoice }
  | { readonly kind: 'tools'; readonly domain?: string | undefined }
  | { readonly kind: 'help' }

/** The percentage of its requests that an evaluation wants to be served. */
const AT_LEAST = 85

export const HELP = `The tour of @x: an agent that answers requests by calling tools.

  npm run demo                          the tour: a few requests for every domain,
                                        and a table of how they went
  npm run demo -- ask "<request>"       answer one request with the tools of all
                                        domains; what is kept in the database is
                                        there for the next ask, memories are not
  npm run demo -- ask "<request>" --durable file
                                        the same as a durable run: it outlives this
                                        process, and waits where a call needs a yes
  npm run demo -- runs                  the durable runs; also: runs show ID,
                                        runs approve ID [NAME], runs resume [ID],
                                        runs cancel ID
  npm run demo -- chat                  a conversation
  npm run demo -- eval                  ask every request of every domain: how many
                                        were served, precision, recall and F1
  npm run demo -- search "<request>"    one request over thousands of tools: the model
                                        finds the few that fit, and is shown no
                                        others; they are only described, so that a
                                        call of one fails
  npm run demo -- tools                 list the tools and their arguments
  npm run demo -- --help                this text

Options
  --domain <name>   only this domain: ${DOMAINS.slice(0, 4)
    .map(({ name }) => name)
    .join(', ')},
                    ${DOMAINS.slice(4)
                      .map(({ name }) => name)
                      .join(', ')}
  --lm <model>      "planner" (default, needs no model) or "<provider>:<model>", e.g.
                    openai:gpt-5-mini. Providers: openai, anthropic, google,
                    mistral, cohere, bedrock, ollama, groq, xai, deepseek,
                    together, fireworks, openrouter, moonshot, alibaba, vllm,
                    llamaCpp, lmStudio. The key is in the environment, e.g. in
                    ANTHROPIC_API_KEY; OPENAI_BASE_URL puts any server that
                    speaks OpenAI Chat in the place of openai. For search
                    "searcher" (default, needs no model) in the place of the
                    planner, which knows how to call the tools that it is shown
                    but not how to search for others
  --db <file>       ask, runs, chat: where shop and bank are kept
                    (apps/demo/.data/demo.sqlite unless told), or ":memory:";
                    durable runs in files lie beside it, in "runs", unless X_RUNS
                    names another folder
  --user <name>     ask, chat: who asks; "demo" unless told. The bank knows demo
                    and bob
  --durable <where> ask, runs: the engine that keeps the runs. "file"; "dbos", in the
                    PostgreSQL of DATABASE_URL; or "restate", whose server is at
                    RESTATE_INGRESS_URL and RESTATE_ADMIN_URL (http://127.0.0.1:8080
                    and :9070 unless told). runs: "file" unless told
  --id <id>         ask --durable: the id of the run; one is made unless told
  --no, --reason <words>, --edit '{"amount":80}'
                    runs approve: a no, with its reason; or a yes to other arguments
  --tools <file>    search: a JSON list of { name, description, parameters }; unless
                    told the 4,076 tools of Seal-Tools in the corpora, which lie at
                    X_CORPORA or in ../shared/corpora
  --together        eval: every request with the tools of all domains, as ask and
                    chat have them; else with those of its own domain
  --json            eval: one JSON object, and nothing else (npm run -s demo -- …)
  --at-least <n>    eval: the percentage that has to be served; ${AT_LEAST} unless told

DATABASE_URL=postgres://… puts PostgreSQL in the place of SQLite, unless --db names
a file: ask and chat keep their tables in its schema "x_demo", tour and eval in one
that they drop.

Exit codes: 0 all well, 1 a request or the model failed, 2 a wrong command line,
130 stopped by Ctrl-C`

/** Throws {@link UsageError}. */
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
    if (!OPTIONS[name]?.includes(kind)) throw new UsageError(`${kind === 'tour' ? 'The tour' : kind} takes no ${rawName}.`)
  if (kind === 'runs') {
    const database = textOf(values.db, '--db', 'a file')
    return { kind, durable: parseEngine(values.durable) ?? 'file', action: parseRunsAction(rest, values), database }
  }
  const request = rest.join(' ').trim()
  if (kind !== 'ask' && kind !== 'search' && request !== '') throw new UsageError(`Too many words after ${kind}: "${request}".`)
  if (kind === 'search') {
    if (request === '') throw new UsageError(`search needs a request, e.g. npm run demo -- search "${SEARCH_EXAMPLE}"`)
    const file = textOf(values.tools, '--tools', 'a JSON file')
    return { kind, request, file, lm: parseLM(values.lm, 'searcher') }
  }
  const domain = textOf(values.domain, '--domain', DOMAIN_NAMES.join(', '))
  if (domain !== undefined) assertKnown('domain', `"${domain}"`, domain, DOMAIN_NAMES)
  if (kind === 'tools') return { kind, domain }
  const lm = parseLM(values.lm, 'planner')
  if (kind === 'tour') return { kind, domain, lm }
  if (kind === 'eval') {
    const atLeast = parsePercentage(values['at-least'], AT_LEAST)
    return { kind, domain, lm, json: values.json === true, together: values.together === true, atLeast }
  }
  const database = textOf(values.db, '--db', 'a file, or :memory:')
  const user = textOf(values.user, '--user', 'a name')
  if (kind === 'chat') return { kind, domain, lm, database, user }
  if (request === '') throw new UsageError('ask needs a request, e.g. npm run demo -- ask "Find laptops under 1000 dollars"')
  const durable = parseEngine(values.durable)
  const id = textOf(values.id, '--id', 'the id of a durable run')
  if (id !== undefined && durable === undefined) throw new UsageError('--id is that of a durable run: give it with --durable.')
  return { kind, request, domain, lm, database, user, durable, id }
}

const COMMANDS = ['tour', 'ask', 'runs', 'chat', 'eval', 'search', 'tools', 'help'] as const
const SEARCH_EXAMPLE = 'Provide me with climate data for the region of Europe'
const DOMAIN_NAMES = DOMAINS.map(({ name }) => name)

/** Every option with the commands that take it. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  domain: ['tour', 'ask', 'chat', 'eval', 'tools'],
  lm: ['tour', 'ask', 'runs', 'chat', 'eval', 'search'],
  db: ['ask', 'runs', 'chat'],
  user: ['ask', 'chat'],
  tools: ['search'],
  json: ['eval'],
  together: ['eval'],
  'at-least': ['eval'],
  durable: ['ask', 'runs'],
  id: ['ask'],
  no: ['runs'],
  reason: ['runs'],
  edit: ['runs'],
  help: COMMANDS,
}
