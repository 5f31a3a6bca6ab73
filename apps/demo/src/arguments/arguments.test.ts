import { describe, expect, it } from 'vitest'
import { UsageError } from '../failure.ts'
import { parseCommand } from './arguments.ts'

const rules = { kind: 'rules' }

describe('a command line', () => {
  it('without arguments is the tour with the rules', () => {
    expect(parseCommand([])).toEqual({ kind: 'tour', domain: undefined, lm: rules })
    expect(parseCommand(['--domain', 'memory'])).toEqual({ kind: 'tour', domain: 'memory', lm: rules })
  })

  it('with ask contains the request, quoted or not', () => {
    expect(parseCommand(['ask', 'Find laptops', '--db', ':memory:', '--lm', 'openai:org/model:free'])).toEqual({
      kind: 'ask',
      request: 'Find laptops',
      domain: undefined,
      database: ':memory:',
      lm: { kind: 'provider', provider: 'openai', model: 'org/model:free' },
      yes: false,
    })
    expect(parseCommand(['ask', 'Find', 'laptops'])).toMatchObject({ request: 'Find laptops' })
  })

  it.each([
    ['anthropic:claude-x', 'anthropic', 'claude-x'],
    ['bedrock:vendor.model-v1:0', 'bedrock', 'vendor.model-v1:0'],
    ['llamaCpp:any', 'llamaCpp', 'any'],
  ])('with --lm %s names a provider and its model', (word, provider, model) => {
    expect(parseCommand(['--lm', word])).toMatchObject({ lm: { kind: 'provider', provider, model } })
  })

  it('with chat contains the user', () => {
    const expected = { kind: 'chat', domain: undefined, lm: undefined, database: undefined, user: 'ada', yes: false }
    expect(parseCommand(['chat', '--user', 'ada'])).toEqual(expected)
  })

  it('with ask or chat has a model only if --lm names one, and approves calls with --yes', () => {
    expect(parseCommand(['ask', 'Hello'])).toMatchObject({ lm: undefined, yes: false })
    expect(parseCommand(['ask', 'Hello', '--lm', 'rules', '--yes'])).toMatchObject({ lm: rules, yes: true })
    expect(parseCommand(['chat', '--yes'])).toMatchObject({ lm: undefined, yes: true })
  })

  it('with serve-mcp serves over stdio, or at a port', () => {
    expect(parseCommand(['serve-mcp', '--domain', 'finance', '--user', 'bob', '--db', ':memory:'])).toEqual({
      ...{ kind: 'serve-mcp', domain: 'finance', user: 'bob', database: ':memory:', port: undefined },
    })
    expect(parseCommand(['serve-mcp', '--port', '0'])).toMatchObject({ port: 0 })
  })

  it('with ask or chat may name a file with MCP servers', () => {
    expect(parseCommand(['ask', 'Hello', '--mcp', 'mcp.json'])).toMatchObject({ mcp: 'mcp.json' })
    expect(parseCommand(['chat', '--mcp', 'mcp.json'])).toMatchObject({ mcp: 'mcp.json' })
  })

  it('with ask --durable is a durable run, of an engine and with an id', () => {
    expect(parseCommand(['ask', 'Pay', '--durable', 'dbos', '--id', 'errand-1'])).toMatchObject({
      durable: 'dbos',
      id: 'errand-1',
    })
    expect(parseCommand(['ask', 'Pay'])).toMatchObject({ durable: undefined })
  })

  it.each([
    [[], { type: 'list' }],
    [['list'], { type: 'list' }],
    [['show', 'errand'], { type: 'show', id: 'errand' }],
    [['cancel', 'errand'], { type: 'cancel', id: 'errand' }],
    [['approve', 'errand'], { type: 'approve', id: 'errand', decision: { no: false } }],
    [
      ['approve', 'a', 'pay_bill', '--no', '--reason', 'Later'],
      { type: 'approve', name: 'pay_bill', decision: { no: true, reason: 'Later' } },
    ],
    [['approve', 'a', '--edit', '{"amount":80}'], { type: 'approve', decision: { edit: '{"amount":80}' } }],
    [['resume'], { type: 'resume', id: undefined, lm: undefined }],
    [['resume', 'errand', '--lm', 'rules'], { type: 'resume', id: 'errand', lm: rules }],
  ])('with runs %j has an action, and file as its default engine', (words, action) => {
    expect(parseCommand(['runs', ...words])).toMatchObject({ kind: 'runs', durable: 'file', action })
    expect(parseCommand(['runs', ...words, '--durable', 'restate', '--db', 'a.sqlite'])).toMatchObject({
      durable: 'restate',
      database: 'a.sqlite',
    })
  })

  it('with eval contains the minimum percentage and the output format', () => {
    expect(parseCommand(['eval'])).toEqual({
      kind: 'eval',
      domain: undefined,
      lm: rules,
      json: false,
      together: false,
      atLeast: 85,
    })
    expect(parseCommand(['eval', '--json', '--at-least', '99.5'])).toMatchObject({ json: true, atLeast: 99.5 })
    expect(parseCommand(['eval', '--together'])).toMatchObject({ together: true })
  })

  it('with search contains the request and the tools file, and uses its own stand-in', () => {
    const expected = { kind: 'search', request: 'Find a shelter', file: undefined, lm: { kind: 'searcher' } }
    expect(parseCommand(['search', 'Find', 'a shelter'])).toEqual(expected)
    const words = ['search', 'Hello', '--tools', 'tools.json', '--lm', 'openai:any']
    expect(parseCommand(words)).toMatchObject({ file: 'tools.json', lm: { kind: 'provider', provider: 'openai', model: 'any' } })
  })

  it('with help asks for help, wherever it stands', () => {
    expect(parseCommand(['ask', '--help'])).toEqual({ kind: 'help' })
    expect(parseCommand(['-h'])).toEqual({ kind: 'help' })
    expect(parseCommand(['help'])).toEqual({ kind: 'help' })
  })

  it.each([
    [['aks', 'x'], 'Unknown command "aks". Did you mean "ask"?'],
    [['dance'], 'Unknown command "dance". Available: tour, ask, runs, chat, eval, search, tools, serve-mcp, help.'],
    [['tools', '--domian', 'memory'], 'Unknown option --domian. Did you mean "--domain"?'],
    [['tools', '--domain', 'ecomerce'], 'Unknown domain "ecomerce". Did you mean "ecommerce"?'],
    [['tools', '--domain'], '--domain needs a value: treasure_hunt, ecommerce, finance, events, productivity, language, memory.'],
    [['tools', '--db', 'x'], "tools doesn't accept --db."],
    [['--lm', 'ruls'], 'Unknown model "ruls". Did you mean "rules"?'],
    [['--lm', 'opneai:gpt'], 'Unknown model "opneai:gpt". Did you mean "openai:<model>"?'],
    [['--lm', 'openai:'], '--lm openai needs a model name: --lm openai:<model>'],
    [['--lm', 'antropic:claude'], 'Unknown model "antropic:claude". Did you mean "anthropic:<model>"?'],
    [['--lm', 'groq'], '--lm groq needs a model name: --lm groq:<model>'],
    [
      ['--lm', 'toString:x'],
      'Unknown model "toString:x". Available: rules, <provider>:<model> with openai, anthropic, google, mistral, cohere, bedrock, ollama, …',
    ],
    [
      ['--lm', 'claude'],
      'Unknown model "claude". Available: rules, <provider>:<model> with openai, anthropic, google, mistral, cohere, bedrock, ollama, …',
    ],
    [['ask'], 'ask needs a request, e.g. npm run demo -- ask "Find laptops under 1000 dollars"'],
    [['ask', ' '], 'ask needs a request, e.g. npm run demo -- ask "Find laptops under 1000 dollars"'],
    [['tools', 'memory'], 'Too many arguments after tools: "memory".'],
    [['eval', '--user', 'ada'], "eval doesn't accept --user."],
    [['chat', '--json'], "chat doesn't accept --json."],
    [['search'], 'search needs a request, e.g. npm run demo -- search "Provide me with climate data for the region of Europe"'],
    [
      ['search', 'x', '--lm', 'rules'],
      "--lm rules can't be used here. Available: searcher, <provider>:<model> with openai, anthropic, google, mistral, cohere, bedrock, ollama, …",
    ],
    [
      ['ask', 'x', '--lm', 'searcher'],
      "--lm searcher can't be used here. Available: rules, <provider>:<model> with openai, anthropic, google, mistral, cohere, bedrock, ollama, …",
    ],
    [['search', 'x', '--tools'], '--tools needs a value: a JSON file.'],
    [['search', 'x', '--domain', 'memory'], "search doesn't accept --domain."],
    [['ask', 'x', '--tools', 'y'], "ask doesn't accept --tools."],
    [['ask', 'x', '--durable'], '--durable needs a value: file, dbos, restate.'],
    [['ask', 'x', '--durable', 'restat'], 'Unknown engine "restat". Did you mean "restate"?'],
    [['ask', 'x', '--id', 'a'], '--id is only valid with --durable.'],
    [['chat', '--durable', 'file'], "chat doesn't accept --durable."],
    [['eval', '--yes'], "eval doesn't accept --yes."],
    [['serve-mcp', '--lm', 'rules'], "serve-mcp doesn't accept --lm."],
    [['serve-mcp', '--port'], '--port needs a value: a number from 0 to 65535.'],
    [['serve-mcp', '--port', '65536'], '--port needs a number from 0 to 65535. It is "65536".'],
    [['ask', 'x', '--mcp'], '--mcp needs a value: a configuration file with "mcpServers".'],
    [['ask', 'x', '--durable', 'file', '--mcp', 'a.json'], "--mcp isn't valid with --durable."],
    [['ask', 'x', '--durable', 'file', '--yes'], "--yes isn't valid with --durable. Approve calls with runs approve."],
    [['runs', 'aprove', 'a'], 'Unknown action "aprove" of runs. Did you mean "approve"?'],
    [['runs', 'show'], 'runs show needs a run id. List the ids with "runs list".'],
    [['runs', 'approve'], 'runs approve needs a run id. List the ids with "runs list".'],
    [['runs', 'show', 'a', 'b'], 'Too many arguments after runs show: "a b".'],
    [['runs', 'list', '--no'], "runs list doesn't accept --no."],
    [['runs', 'approve', 'a', '--lm', 'rules'], "runs approve doesn't accept --lm."],
    [['runs', 'approve', 'a', '--no', '--edit', '{}'], '--no and --edit exclude each other. Pass only one of them.'],
    [['runs', 'approve', 'a', '--reason', 'x'], '--reason is only valid with --no.'],
    [['runs', '--domain', 'memory'], "runs doesn't accept --domain."],
    [['eval', '--at-least', '101'], '--at-least needs a percentage from 0 to 100, not "101".'],
    [['eval', '--at-least'], '--at-least needs a value: a percentage from 0 to 100.'],
  ])('%j is answered with one line', (words, message) => {
    expect(() => parseCommand(words)).toThrow(new UsageError(message))
  })
})
