/** Input for the `arguments` bench: typical model output in every size, and pathological text. */

/** Length of one delta in UTF-16 units, about one token. */
const DELTA = 8

/** Arguments with one long string, like those of a tool that writes a file. */
export function longText(length: number): string {
  const around = JSON.stringify({ path: 'src/orders.ts', content: '', overwrite: true }).length
  let content = ''
  for (let line = 0; around + content.length < length; line++)
    content += JSON.stringify(`  const order${line} = readOrder("A-${line}") ?? missing(${line % 7}) // näxt line, then\n`).slice(
      1,
      -1,
    )
  return `{"path":"src/orders.ts","content":"${content}","overwrite":true}`
}

/** Like `longText`, but without escapes or letters beyond Latin-1. */
export function plainText(length: number): string {
  const around = JSON.stringify({ path: 'src/orders.ts', content: '', overwrite: true }).length
  const content = 'The order was read, and it is on its way to the customer. '
  return JSON.stringify({
    path: 'src/orders.ts',
    content: content.repeat(Math.ceil((length - around) / content.length)),
    overwrite: true,
  })
}

/** Arguments with many small fields. */
export function rowsText(length: number): string {
  const rows: string[] = []
  let sum = 0
  for (let index = 0; sum < length - 12; index++) {
    const row = JSON.stringify({
      id: index,
      name: `Customer ${index}`,
      city: index % 2 === 0 ? 'Zürich' : 'London',
      balance: index * 1.25 - 10,
      isActive: index % 3 === 0,
      note: null,
      tags: ['new', `group-${index % 11}`],
    })
    rows.push(row)
    sum += row.length + 1
  }
  return `{"rows":[${rows.join(',')}]}`
}

export function toDeltas(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / DELTA) }, (_, index) => text.slice(index * DELTA, (index + 1) * DELTA))
}

/** Inputs of up to a million UTF-16 units. Each of them made some parser slow or overflowed its stack. */
export const BOMBS: Readonly<Record<string, () => string>> = {
  'open lists': () => '['.repeat(200_000),
  'open objects': () => '{"a":'.repeat(100_000),
  'nested lists': () => '['.repeat(100_000) + ']'.repeat(100_000),
  'nested objects': () => `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  'open lists of one': () => '[1,'.repeat(100_000),
  'open keys': () => '{a'.repeat(50_000),
  'one member, no end': () => '{"k":1,'.repeat(100_000),
  'empty objects': () => '{}'.repeat(100_000),
  'closing brackets': () => `{}${'}]'.repeat(250_000)}`,
  backslashes: () => `{"a":"${'\\'.repeat(200_001)}`,
  'an open text': () => `{"a":"${'lorem ipsum '.repeat(80_000)}`,
  'inner quotes': () => `{"a":"${'x"y'.repeat(50_000)}`,
  quotes: () => '"'.repeat(1_000_000),
  'single quotes': () => `{'a':'${"it's ".repeat(150_000)}`,
  'back-ticks': () => '`'.repeat(1_000_000),
  'texts joined': () => `{"a":${'"b" + '.repeat(150_000)}`,
  spaces: () => ' '.repeat(1_000_000),
  'spaces in an object': () => `{${' '.repeat(1_000_000)}`,
  commas: () => `{"a":1${','.repeat(500_000)}`,
  'open comments': () => '/*'.repeat(400_000),
  'comments to the end of the line': () => `{${'// {"a":1}\n'.repeat(80_000)}`,
  fences: () => '```json\n'.repeat(100_000),
  prose: () => 'Here is a {thing} that "works". '.repeat(30_000),
  digits: () => `{"a":${'1'.repeat(1_000_000)}`,
  'escaped once more': () => `{\\"a\\":\\"${'\\\\\\"'.repeat(200_000)}`,
  'escaped units': () => `{"a":"${'\\ud83d'.repeat(150_000)}`,
}
