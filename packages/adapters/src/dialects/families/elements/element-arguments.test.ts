import { describe, expect, it } from 'vitest'
import { defineDialect } from '../../define/own-dialect.ts'
import { readElements } from './element-arguments.ts'
import { toolElements } from './tool-elements.ts'

function read(body: string, properties: object = {}): unknown {
  const json = readElements(body, { type: 'object', properties })?.json
  return json === undefined ? undefined : JSON.parse(json)
}

describe('arguments as elements', () => {
  it('are text with character references and CDATA sections', () => {
    expect(read('<a>&lt;x&gt; &amp;amp; &#65;&#x42; &no; &#9999999;</a><b><![CDATA[<i>&lt;</i>]]></b>')).toEqual({
      a: '<x> &amp; AB &no; &#9999999;',
      b: '<i>&lt;</i>',
    })
  })

  it('are coerced to the schema', () => {
    expect(
      read('<a> 5 </a><b>5</b><c>{"x": 1}</c>', { a: { type: 'integer' }, b: { type: 'string' }, c: { type: 'object' } }),
    ).toEqual({
      a: 5,
      b: '5',
      c: { x: 1 },
    })
  })

  it('keep markup in declared strings', () => {
    const html = '<html><p>a</p></html>'
    expect(read(`<a>${html}</a><b/>`, { a: { type: 'string' } })).toEqual({ a: html, b: '' })
  })

  it('may be nested, and are repeated for lists', () => {
    const ofNumbers = { type: 'array', items: { type: 'number' } }
    expect(read('<a><x>1</x><a><y>2</y></a></a>')).toEqual({ a: { x: '1', a: { y: '2' } } })
    expect(read('<a>1</a><b>x</b><a>2</a>', { a: ofNumbers })).toEqual({ a: [1, 2], b: 'x' })
    expect(read('<a><item>1</item><item>2</item></a>', { a: ofNumbers })).toEqual({ a: [1, 2] })
    expect(read('<a>1</a>', { a: ofNumbers })).toEqual({ a: [1] })
    expect(read('<a> </a>', { a: ofNumbers })).toEqual({ a: [] })
  })

  it('may lack the last end tag', () => {
    expect(read('<a>1</a><b>2')).toEqual({ a: '1', b: '2' })
  })

  it('are malformed if they contain other text', () => {
    for (const body of ['text', '<a>1</a> text', '<a>1<b>2', '<>1</>']) expect([body, read(body)]).toEqual([body, undefined])
  })

  it('stay text if they are nested too deeply', () => {
    expect(JSON.stringify(read(`${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`))).toContain('<a><a>')
  })

  it('treat keys of the prototype as ordinary keys', () => {
    expect(readElements('<__proto__>1</__proto__>', {})?.json).toBe('{"__proto__": "1"}')
  })
})

describe('elements named after tools', () => {
  const dialect = defineDialect({
    name: 'elements',
    blocks: [],
    blocksFor: (names) => toolElements(names, { readBody: readElements, nests: true }),
    formatCalls: () => '',
  })
  const tools = (...names: string[]) =>
    names.map((name) => ({ type: 'function' as const, function: { name, description: '', parameters: {} } }))
  const callsOf = (text: string, ...names: string[]) =>
    dialect.parse(text, { tools: tools(...names) }).toolCalls.map((call) => [call.name, call.arguments])

  it('are those of declared tools', () => {
    expect(callsOf('<f><a>1</a></f><g/>', 'f')).toEqual([['f', '{"a": "1"}']])
    expect(callsOf('<f><a>1</a></f><g/>', 'g')).toEqual([['g', '{}']])
    expect(dialect.parse('<f/>').toolCalls).toEqual([])
  })

  it('are malformed without arguments if the policy says so', () => {
    const options = { tools: tools('f'), missingArguments: 'malformed' } as const
    for (const text of ['<f/>', '<f> </f>']) {
      const { toolCalls, malformedCalls } = dialect.parse(text, options)
      expect([toolCalls, malformedCalls]).toEqual([[], [text]])
    }
  })

  it('are tagged if a value was coerced', () => {
    const properties = { n: { type: 'integer' }, list: { type: 'array', items: { type: 'integer' } } }
    const typed = [{ type: 'function' as const, function: { name: 'f', description: '', parameters: { properties } } }]
    const tagsOf = (body: string) => dialect.parse(`<f>${body}</f>`, { tools: typed }).toolCalls[0]?.tags
    expect(tagsOf('<n>5</n><list>6</list>')).toBeUndefined()
    expect(tagsOf('<n>5.0</n>')).toEqual(['coerced'])
    expect(tagsOf('<list>6</list><list>7.0</list>')).toEqual(['coerced'])
  })

  it('may have white space in their tags', () => {
    expect(callsOf('< f >\n<a>1</a>\n</ f ><f />', 'f')).toEqual([
      ['f', '{"a": "1"}'],
      ['f', '{}'],
    ])
  })

  it('may be very many, with any names', () => {
    const count = process.env.X_FULL ? 3_000 : 1_000
    const names = Array.from({ length: count }, (_, index) => `${String.fromCharCode(0x4e00 + (index % 700))}_tool_${index}`)
    expect(callsOf(names.map((name) => `<${name}/>`).join(''), ...names)).toEqual(names.map((name) => [name, '{}']))
    const long = 'x'.repeat(20_000)
    expect(callsOf(`<${long}><a>1</a></${long}>`, long)).toEqual([[long, '{"a": "1"}']])
  })

  it('may have names that start with another name or with the reasoning tag', () => {
    const names = ['t', 'th', 'think', 'thinking', 'think_about_it', 'tell']
    const dialectOf = defineDialect({
      name: 'reasoning',
      reasoning: { open: '<think>', close: '</think>' },
      blocks: [],
      blocksFor: (all) => toolElements(all, { readBody: readElements }),
      formatCalls: () => '',
    })
    const text = '<think>hm</think><t/>< th ><a>1</a></th><thinking/><think_about_it/><tell/><thinks/>'
    const read = dialectOf.parse(text, { tools: tools(...names) })
    expect(read.reasoning).toBe('hm')
    expect(read.text).toBe('<thinks/>')
    expect(read.toolCalls.map((call) => call.name)).toEqual(['t', 'th', 'thinking', 'think_about_it', 'tell'])
  })

  it('hold back at most the text of one tag', () => {
    const push = (text: string) => {
      const parser = dialect.streamParser({ tools: tools('get_weather') })
      return parser.push(text).flatMap((delta) => (delta.type === 'text' ? [delta.text] : []))
    }
    for (const text of ['if a <b then', 'a < get c', '<get_weath and more words']) expect(push(text).join('')).toBe(text)
  })

  it("keep one value, or all, of a repeated parameter that isn't declared as a list", () => {
    const properties = { n: { type: 'integer' }, list: { type: 'array', items: { type: 'integer' } } }
    const typed = [{ type: 'function' as const, function: { name: 'f', description: '', parameters: { properties } } }]
    const text = '<f><n>1</n><list>3</list><n>2</n><list>4</list></f>'
    for (const [repeatedParameter, n] of [
      ['last', '2'],
      ['first', '1'],
      ['list', '[1, 2]'],
    ] as const)
      expect(dialect.parse(text, { tools: typed, repeatedParameter }).toolCalls).toMatchObject([
        { arguments: `{"n": ${n}, "list": [3, 4]}`, tags: ['repeated_parameter'] },
      ])
    expect(dialect.parse('<f><list>3</list><list>4</list></f>', { tools: typed }).toolCalls[0]?.tags).toBeUndefined()
  })

  it('may have a parameter with the name of the tool', () => {
    expect(callsOf('<f><f>1</f><a>use <f> here</a></f>', 'f')).toEqual([['f', '{"f": "1", "a": "use <f> here"}']])
  })

  it('are malformed if they are truncated or contain other text', () => {
    for (const text of ['<f><a>1</a>', '<f>text</f>'])
      expect(dialect.parse(text, { tools: tools('f') }).malformedCalls).toEqual([text])
  })

  it('are parsed in the same way however the text is split', () => {
    const text = 'a <f>\n<f>1</f></f> b <f/><f>x</f>'
    const parser = dialect.streamParser({ tools: tools('f') })
    const deltas = [...text.split('').flatMap((unit) => [...parser.push(unit)]), ...parser.end()]
    expect(deltas.flatMap((delta) => (delta.type === 'arguments' ? [delta.text] : []))).toEqual(['{"f": "1"}', '{}'])
  })
})
