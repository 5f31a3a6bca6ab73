/** Checks the compiler's messages for common mistakes, in the programs of `apps/lab/mistakes`. They must be short and contain the fix. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../../..')
const folder = join(root, 'apps/lab/mistakes')
const mistakes = readdirSync(folder).flatMap((file) => (file.endsWith('.ts') ? [file.replace(/\.ts$/, '')] : []))
const MODES = { nodenext: [], bundler: ['--module', 'ESNext', '--moduleResolution', 'Bundler'] }

/** Returns the messages for each program, without their positions. */
function compile(options: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
  return new Promise((settle) => {
    // Several threads would check some types more than once.
    const args = [compiler, '-p', folder, '--pretty', 'false', '--singleThreaded', ...options]
    execFile(process.execPath, args, { cwd: folder }, (_, output) => {
      const messages = new Map<string, string>()
      for (const message of output.trim().split(/\n(?! )/)) {
        const [, file = 'elsewhere', words = message] = /^([\w-]+)\.ts\(\d+,\d+\): (.*)$/s.exec(message) ?? []
        messages.set(file, [messages.get(file), words].filter((one) => one !== undefined).join('\n'))
      }
      settle(messages)
    })
  })
}

describe.each(Object.entries(MODES))('under %s', (_, options) => {
  let messages: ReadonlyMap<string, string>
  beforeAll(async () => {
    messages = await compile(options)
  })

  it.each(mistakes)('%s has one message of at most three lines', (mistake) => {
    const lines = messages.get(mistake)?.split('\n') ?? []
    expect(lines.filter((line) => line.startsWith('error'))).toHaveLength(1)
    expect(lines.length).toBeLessThanOrEqual(3)
  })

  it('the messages are the recorded ones', async () => {
    const text = [...messages].map(([mistake, words]) => `${mistake}\n${words}\n`).sort()
    await expect(text.join('\n')).toMatchFileSnapshot(join(folder, 'messages.txt'))
  })
})
