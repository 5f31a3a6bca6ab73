import { describe, expect, it } from 'vitest'
import { runTask, tool } from '../../test/run-task.ts'
import { plannerLM } from './planner-lm.ts'

const text = { type: 'string' }
const findBooks = tool('find_books', 'Find books in the library by text, price and stars', {
  properties: { query: text, max_price: { type: 'number' }, min_stars: { type: 'number' } },
  required: ['query'],
})
const borrowBook = tool('borrow_book', 'Borrow a book from the library', {
  properties: { book_id: { type: 'string', description: 'Id of the book' }, copies: { type: 'integer', default: 1 } },
  required: ['book_id'],
})
const shelf = [
  { id: 'B-1', title: 'Dune', price: 12, stars: 4.5 },
  { id: 'B-2', title: 'Emma', price: 7, stars: 4.1 },
  { id: 'B-3', title: 'Ulysses', price: 19, stars: 3.9 },
]
const tools = [findBooks, borrowBook]
const results = { find_books: () => ({ books: shelf, total: 3 }), borrow_book: (args: object) => ({ borrowed: args }) }

describe('plannerLM', () => {
  it('searches first and then takes the id of the row that the request chooses', async () => {
    const run = await runTask('Find novels under 20 dollars and borrow the cheapest one', tools, results)
    expect(run.calls).toEqual([
      ['find_books', { query: 'novels', max_price: 20 }],
      ['borrow_book', { book_id: 'B-2' }],
    ])
    expect(run.answer).toContain('Emma')
  })

  it.each([
    ['the most expensive one', 'B-3'],
    ['the best rated one', 'B-1'],
    ['the second one', 'B-2'],
    ['the last one', 'B-3'],
    ['Ulysses', 'B-3'],
    ['it', 'B-1'],
  ])('borrows %s', async (choice, id) => {
    const run = await runTask(`Find novels under 20 and borrow ${choice}`, tools, results)
    expect(run.calls[1]).toEqual(['borrow_book', { book_id: id }])
  })

  it('looks for a missing id with the tool that can find it', async () => {
    const run = await runTask('Please borrow the cheapest novel', tools, results)
    expect(run.calls.map(([name]) => name)).toEqual(['find_books', 'borrow_book'])
    expect(run.calls[1]?.[1]).toEqual({ book_id: 'B-2' })
  })

  it('asks which one when the request does not choose one of the results', async () => {
    const run = await runTask('Borrow my book', tools, results)
    expect(run.calls.map(([name]) => name)).not.toContain('borrow_book')
    expect(run.answer).toContain('borrow_book also needs the id of the book')
  })

  it('reports a part of the request that fits no tool, and does the rest', async () => {
    const run = await runTask('Borrow B-7 and tell me a joke', tools, results)
    expect(run.calls).toEqual([['borrow_book', { book_id: 'B-7' }]])
    expect(run.answer).toContain('None of the available tools fits "tell me a joke"')
  })

  it('asks for what is missing and calls nothing', async () => {
    const run = await runTask('Borrow a book', [borrowBook], results)
    expect(run.calls).toEqual([])
    expect(run.answer).toContain('borrow_book also needs the id of the book')
  })

  it.each(['Hello!', 'How are you today?', 'What is the capital of France?', 'Tell me a joke', ''])(
    'calls nothing for %j',
    async (task) => {
      const run = await runTask(task, tools, results)
      expect(run.calls).toEqual([])
      expect(run.answer).not.toBe('')
    },
  )

  it('makes one call for each id', async () => {
    const run = await runTask('Borrow B-7 and B-8', tools, results)
    expect(run.calls).toEqual([
      ['borrow_book', { book_id: 'B-7' }],
      ['borrow_book', { book_id: 'B-8' }],
    ])
  })

  it.each([
    [
      'Borrow "Dune" from Anna and also from Tom',
      [
        { title: 'Dune', lender: 'Anna' },
        { title: 'Dune', lender: 'Tom' },
      ],
    ],
    [
      'Borrow "Dune" from Anna, then "Emma" from Tom, and also "Ulysses" from Eve',
      [
        { title: 'Dune', lender: 'Anna' },
        { title: 'Emma', lender: 'Tom' },
        { title: 'Ulysses', lender: 'Eve' },
      ],
    ],
  ])('makes one call for each set of details: %j', async (task, expected) => {
    const borrow = tool('borrow_privately', 'Borrow a book from a person', {
      properties: { title: text, lender: { type: 'string', description: 'Who it is taken from' } },
      required: ['title', 'lender'],
    })
    const run = await runTask(task, [borrow], { borrow_privately: () => 'ok' })
    expect(run.calls.map(([, args]) => args)).toEqual(expected)
  })

  it.each([
    ['get_author', [{ author: 'Anna Lee' }, { author: 'Tom Fox' }]],
    ['hire_author', [{ author: 'Anna Lee' }]],
  ])('makes one call for each name in capitals, when it only looks: %s', async (name, expected) => {
    const author = tool(name, 'One author of the library', { properties: { author: text }, required: ['author'] })
    const run = await runTask(`Please ${name.replace('_', ' the ')} Anna Lee and Tom Fox`, [author], { [name]: () => 'ok' })
    expect(run.calls.map(([, args]) => args)).toEqual(expected)
  })

  it('understands "its" as the row that it chose', async () => {
    const describeBook = tool('get_book_story', 'Get the story of one book', {
      properties: { book_id: { type: 'string', description: 'Id of the book' } },
      required: ['book_id'],
    })
    const run = await runTask('Find the cheapest book and show me its story', [findBooks, describeBook], {
      ...results,
      get_book_story: () => 'once',
    })
    expect(run.calls.at(-1)).toEqual(['get_book_story', { book_id: 'B-2' }])
  })

  it('shows more rows of a long list when they are short, and says how many are left', async () => {
    const shelfOf = (count: number) => ({
      find_books: () => Array.from({ length: count }, (_, index) => ({ title: `T${index}` })),
    })
    expect((await runTask('Find novels', tools, shelfOf(50))).answer).toContain('T19 and 30 more')
    expect((await runTask('Find novels', tools, shelfOf(150))).answer).toContain('and 130 more')
  })

  it('says what failed', async () => {
    const failing = { borrow_book: () => Promise.reject(new Error('the library is closed')) }
    const run = await runTask('Borrow B-7', tools, failing)
    expect(run.calls).toHaveLength(1)
    expect(run.answer).toBe('The library is closed.')
  })

  it('tries once more when the error names a valid value', async () => {
    const setMode = tool('set_mode', 'Set the mode of the lamp', { properties: { mode: text }, required: ['mode'] })
    const strict = {
      set_mode: (args: { mode?: string }) =>
        args.mode === 'dimmed' ? 'done' : Promise.reject(new Error('mode must be one of: "dimmed", "bright"')),
    }
    const run = await runTask('Set the mode of the lamp to dim', [setMode], strict)
    expect(run.calls.map(([, args]) => args)).toEqual([{ mode: 'dim' }, { mode: 'dimmed' }])
    expect(run.answer).toBe('Done.')
  })

  it('says that nothing was found for null', async () => {
    const run = await runTask('Find novels', tools, { find_books: () => null })
    expect(run.answer).toBe('Nothing was found.')
  })

  it('reads results of any depth', async () => {
    const deep = { find_books: () => `${'['.repeat(50_000)}${']'.repeat(50_000)}` }
    expect((await runTask('Find novels', tools, deep)).answer).not.toBe('')
  })

  it('says what it is when there are no tools', async () => {
    const { text: answer, toolCalls } = await plannerLM().generate({ messages: [{ role: 'user', content: 'What is love?' }] })
    expect(toolCalls).toEqual([])
    expect(answer).toContain('not a language model')
  })

  it('ends a run with submit when that is offered', async () => {
    const submit = tool('submit', 'Hand in the answer', { properties: { answer: text }, required: ['answer'] })
    const run = await runTask('Borrow B-7', [...tools, submit], { ...results, submit: () => 'ok' }, 'submit')
    expect(run.calls.map(([name]) => name)).toEqual(['borrow_book', 'submit'])
    expect(run.calls[1]?.[1]).toEqual({ answer: expect.stringContaining('B-7') })
  })

  it('does not repeat a submit that failed with the same arguments', async () => {
    const submit = tool('submit', 'Hand in the answer', { properties: { answer: text }, required: ['answer'] })
    const run = await runTask('Borrow B-7', [...tools, submit], { ...results, submit: () => Promise.reject(new Error('no')) })
    expect(run.calls.map(([name]) => name)).toEqual(['borrow_book', 'submit'])
    expect(run.answer).toContain('B-7')
  })

  it('makes one call at a time when parallel calls are off', async () => {
    const messages = [{ role: 'user' as const, content: 'Borrow B-7 and B-8' }]
    const { toolCalls } = await plannerLM().generate({ messages, tools, parallelToolCalls: false })
    expect(toolCalls).toHaveLength(1)
  })

  it('does not act beside a call whose result it has not seen', async () => {
    const run = await runTask('Borrow B-7 and find novels', tools, results)
    expect(run.turns).toEqual([['borrow_book'], ['find_books']])
  })

  it('looks at several things at once', async () => {
    const countBooks = tool('count_members', 'Count the members')
    const run = await runTask('Find novels and count the members', [findBooks, countBooks], {
      ...results,
      count_members: () => 7,
    })
    expect(run.turns).toEqual([['find_books', 'count_members']])
    expect(run.answer).toContain('7')
  })

  it('understands "it" from the previous turn', async () => {
    const calls = [{ id: 'call_1_1', name: 'find_books', arguments: '{"query":"novels"}' }]
    const { toolCalls } = await plannerLM().generate({
      messages: [
        { role: 'user', content: 'Find novels' },
        { role: 'assistant', content: '', toolCalls: calls },
        { role: 'tool', callId: 'call_1_1', name: 'find_books', content: JSON.stringify(shelf) },
        { role: 'assistant', content: 'Three books.' },
        { role: 'user', content: 'Borrow the second one' },
      ],
      tools,
    })
    expect(toolCalls).toEqual([{ id: 'call_3_1', name: 'borrow_book', arguments: '{"book_id":"B-2"}' }])
  })

  it('reads the first of several inputs as the task and the others by name', async () => {
    const content = '[[ question ]]\nBorrow a book\n\n[[ book_id ]]\nB-9'
    const { toolCalls } = await plannerLM().generate({ messages: [{ role: 'user', content }], tools })
    expect(toolCalls.map(({ arguments: written }) => JSON.parse(written))).toEqual([{ book_id: 'B-9' }])
  })

  it('calls finish when nothing is left to do', async () => {
    const run = await runTask(
      'Borrow B-7',
      [...tools, tool('finish', 'End the run')],
      { ...results, finish: () => 'ok' },
      'finish',
    )
    expect(run.calls).toEqual([
      ['borrow_book', { book_id: 'B-7' }],
      ['finish', {}],
    ])
  })

  it('only answers when toolChoice forbids calls', async () => {
    const messages = [{ role: 'user' as const, content: 'Borrow B-7' }]
    expect((await plannerLM().generate({ messages, tools, toolChoice: 'none' })).toolCalls).toEqual([])
  })

  it('calls the tool of toolChoice', async () => {
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    const { toolCalls } = await plannerLM().generate({ messages, tools, toolChoice: { name: 'borrow_book' } })
    expect(toolCalls.map(({ name }) => name)).toEqual(['borrow_book'])
  })

  it('fills the fields of the tool of toolChoice with the results', async () => {
    const extract = tool('extract', 'The result', {
      properties: { total: { type: 'integer' }, summary: text },
      required: ['total', 'summary'],
    })
    const { toolCalls } = await plannerLM().generate({
      messages: [
        { role: 'user', content: 'Find novels' },
        { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'find_books', arguments: '{"query":"novels"}' }] },
        { role: 'tool', callId: '1', name: 'find_books', content: JSON.stringify({ total: 1, books: { title: 'Emma' } }) },
      ],
      tools: [extract],
      toolChoice: { name: 'extract' },
    })
    expect(JSON.parse(toolCalls[0]?.arguments ?? '')).toEqual({ total: 1, summary: expect.stringContaining('Emma') })
  })

  it('names itself in generate and in stream', async () => {
    const lm = plannerLM({ name: 'plan' })
    const deltas: unknown[] = []
    for await (const delta of lm.stream?.({ messages: [] }) ?? []) deltas.push(delta)
    expect(deltas).toContainEqual({ type: 'metadata', metadata: { name: 'plan' } })
    expect((await lm.generate({ messages: [] })).metadata).toEqual({ name: 'plan' })
  })

  it('throws the reason of an aborted signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(plannerLM().generate({ messages: [] }, { signal })).rejects.toThrow('enough')
  })
})
