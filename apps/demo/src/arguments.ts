/** The words of the command line become a command, or an error with the nearest correct one. */
import { parseArgs } from 'node:util'
import { nearestNames } from '@x/tool-core'
import { DOMAINS } from './domains/index.ts'
import { type LMChoice, PROVIDERS } from './providers.ts'
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
  | ({ readonly kind: 'ask'; readonly request: string } & Personal)
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
  --db <file>       ask, chat: where shop and bank are kept
                    (apps/demo/.data/demo.sqlite unless told), or ":memory:"
  --user <name>     ask, chat: who asks; "demo" unless told. The bank knows demo
                    and bob
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
    const atLeast = parsePercentage(values['at-least'])
    return { kind, domain, lm, json: values.json === true, together: values.together === true, atLeast }
  }
  const database = textOf(values.db, '--db', 'a file, or :memory:')
  const user = textOf(values.user, '--user', 'a name')
  if (kind === 'chat') return { kind, domain, lm, database, user }
  if (request === '') throw new UsageError('ask needs a request, e.g. npm run demo -- ask "Find laptops under 1000 dollars"')
  return { kind, request, domain, lm, database, user }
}

const COMMANDS = ['tour', 'ask', 'chat', 'eval', 'search', 'tools', 'help'] as const
const SEARCH_EXAMPLE = 'Provide me with climate data for the region of Europe'
const DOMAIN_NAMES = DOMAINS.map(({ name }) => name)

/** Every option with the commands that take it. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  domain: ['tour', 'ask', 'chat', 'eval', 'tools'],
  lm: ['tour', 'ask', 'chat', 'eval', 'search'],
  db: ['ask', 'chat'],
  user: ['ask', 'chat'],
  tools: ['search'],
  json: ['eval'],
  together: ['eval'],
  'at-least': ['eval'],
  help: COMMANDS,
}

function assertKnown(what: string, shown: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const [nearest] = nearestNames(name, known, 1)
  const dashes = what === 'option' ? '--' : ''
  const way =
    nearest === undefined ? `There is: ${known.map((each) => dashes + each).join(', ')}.` : `Did you mean "${dashes}${nearest}"?`
  throw new UsageError(`Unknown ${what} ${shown}. ${way}`)
}

function textOf(value: string | boolean | undefined, option: string, choices: string): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw new UsageError(`${option} needs a value: ${choices}.`)
}

function parsePercentage(value: string | boolean | undefined): number {
  const text = textOf(value, '--at-least', 'a percentage from 0 to 100') ?? String(AT_LEAST)
  if (/^\d{1,3}(?:\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text)
  throw new UsageError(`--at-least needs a percentage from 0 to 100, not "${text}".`)
}

function parseLM(value: string | boolean | undefined, standIn: 'planner' | 'searcher'): LMChoice {
  const choices = `${standIn}, <provider>:<model> with ${PROVIDERS.slice(0, 7).join(', ')}, …`
  const text = textOf(value, '--lm', choices) ?? standIn
  if (text === standIn) return { kind: standIn }
  if (text === 'planner' || text === 'searcher') throw new UsageError(`The ${text} does not serve here. There is: ${choices}`)
  const [name = '', ...rest] = text.split(':')
  const model = rest.join(':')
  const provider = PROVIDERS.find((known) => known === name)
  if (provider !== undefined && model !== '') return { kind: 'provider', provider, model }
  if (provider !== undefined) throw new UsageError(`--lm ${provider} needs the name of a model: --lm ${provider}:<model>`)
  const [nearest] = nearestNames(name, [standIn, ...PROVIDERS], 1)
  const way =
    nearest === undefined ? `There is: ${choices}` : `Did you mean "${nearest === standIn ? nearest : `${nearest}:<model>`}"?`
  throw new UsageError(`Unknown model "${text}". ${way}`)
}
