import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const PROGRAM =
  "```ts\nimport { nearestNames } from '@x/tool-core'\n```\n\nText.\n\n```ts\nconst [name = ''] = nearestNames('get_weathr', ['get_weather'])\n```\n"

it('runs the examples of a README as one program', () => {
  expect(run(`${PROGRAM}\n\`\`\`ts\nconsole.log(name)\n\`\`\`\n`)).toEqual({ status: 0, stdout: 'get_weather\n', stderr: '' })
})

it('runs the programs that the page names, in order, and compares their output', () => {
  const toPage = (output: string) =>
    `\`\`\`ts\n// greet.ts\nconsole.log('Hello')\n\`\`\`\n\n\`\`\`sh\nnpx tsx greet.ts\nKEY=… npx tsx greet.ts  # ${output}\n\`\`\`\n`
  expect(run(toPage('Hello'))).toEqual({ status: 0, stdout: 'Hello\nHello\n', stderr: '' })
  const { status, stderr } = run(toPage('Goodbye'))
  expect([status, stderr]).toEqual([1, expect.stringContaining('Goodbye\n  printed: Hello')])
})

it.each([
  ['does not compile', 'const wrong: number = name', /TS2322/],
  ['throws', "throw new Error('No such name.')", /No such name\./],
  ['prints something else', 'console.log(name) // get_time', /printed: get_weather/],
])('fails for an example that %s', (_, code, words) => {
  const { status, stderr } = run(`\`\`\`ts\nconst name = 'get_weather'\n${code}\n\`\`\`\n`)
  expect(status).toBe(1)
  expect(stderr).toMatch(words)
})

it.each(['README.md', 'docs/getting-started.md', 'docs/from-ai-sdk.md', 'docs/providers.md'])(
  'the snippets of %s can be pasted into one file: each name is imported once',
  (page) => {
    const markdown = readFileSync(join(import.meta.dirname, '..', page), 'utf8')
    const blocks = Array.from(markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, block = '']) => block)
    const main = blocks.filter((block) => !/^\/\/ [\w.-]+\.ts\n/.test(block)).join('\n')
    const names = Array.from(main.matchAll(/^import \{ (.+) \} from/gm), ([, list = '']) => list.split(', ')).flat()
    expect(names.length).toBeGreaterThan(5)
    expect(new Set(names).size).toBe(names.length)
  },
)

function run(markdown: string) {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'))
  try {
    writeFileSync(join(folder, 'README.md'), markdown)
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'readme.mjs'), folder], {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
    return { status, stdout, stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
