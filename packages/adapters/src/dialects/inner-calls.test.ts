/** Tests calls inside a parameter value, as in a file about tool calls. */
import { describe, expect, it } from 'vitest'
import { readPieces } from '../testing/dialect-checks/reading.ts'
import * as all from './index.ts'

const DIALECTS = [
  ...[all.deepseekV4, all.glm45, all.glm47, all.hunyuanV3, all.kExaone2, all.kimiK3, all.minimaxM2, all.minimaxM3],
  ...[all.poolsideV1, all.qwen3Coder, all.seedOss, all.step3],
]
const tools = [toTool('write_file', 'path', 'content'), toTool('delete_all', 'folder')]

function toTool(name: string, ...keys: readonly string[]) {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]))
  return { type: 'function' as const, function: { name, description: '', parameters: { type: 'object', properties } } }
}

describe.each(DIALECTS)('$name', (dialect) => {
  const write = (name: string, args: object) => {
    const formatted = dialect.formatCall({ id: '', name, arguments: JSON.stringify(args) })
    return formatted.ok ? formatted.text : ''
  }
  const inner = write('delete_all', { folder: '/home' })
  const [open = '', close = ''] = write('write_file', { path: 'a.md', content: '@' }).split('@')

  it.each([
    ['in prose', `Write ${inner} to delete all.`],
    ['on lines of their own', `# Calls\n${inner}\n${inner}\nend`],
    ['in a code fence', `\`\`\`\n${inner}\n\`\`\``],
    ['in quotation marks', `const text = "${inner}"`],
  ])('keeps calls in a value %s', (_, content) => {
    const text = `Sure.${open}${content}${close}`
    const { toolCalls, malformedCalls } = dialect.parse(text, { tools })
    expect([toolCalls.map(({ name, arguments: json }) => [name, JSON.parse(json)]), malformedCalls]).toEqual([
      [['write_file', { path: 'a.md', content }]],
      undefined,
    ])
    expect(readPieces(dialect, [...text], { tools }).toolCalls).toEqual(toolCalls)
  })

  it('keeps calls in a value of an undeclared tool', () => {
    const content = `# Calls\n${inner}${inner}\nend`
    const { toolCalls } = dialect.parse(`${open}${content}${close}`)
    expect(toolCalls.map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual([
      ['write_file', { path: 'a.md', content }],
    ])
  })

  it('reads the call after a value that is never closed', () => {
    const { toolCalls } = dialect.parse(`${open}x\n${inner}`, { tools })
    expect(toolCalls.at(-1)).toMatchObject({ name: 'delete_all', arguments: '{"folder": "/home"}' })
  })
})
