import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { newFile } from '../../test/cassette/files.ts'
import { ask } from '../../test/wrappers/lm.ts'
import { replayLM } from './index.ts'

const KILLS = 5

/** Records replies without end, and writes the number of each one that has been returned. */
const RECORDER = `
import { recordLM } from './cassette.mjs'
const lm = recordLM({ generate: async ({ messages }) => ({ text: messages[0].content.repeat(100), toolCalls: [] }) }, process.argv[2])
for (let number = 1; ; number++) {
  await lm.generate({ messages: [{ role: 'user', content: 'Request ' + number }] })
  process.stdout.write(number + '\\n')
}
`

async function bundle(folder: string): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve('vite/package.json'))
  const { build } = require('esbuild') as { build(options: object): Promise<unknown> }
  const script = join(folder, 'recorder.mjs')
  writeFileSync(script, RECORDER)
  await build({
    entryPoints: [join(import.meta.dirname, 'index.ts')],
    outfile: join(folder, 'cassette.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@x/source'],
    logLevel: 'silent',
  })
  return script
}

it(`leaves a valid cassette with every reply that was returned, after each of ${KILLS} kills`, async () => {
  const file = newFile()
  const script = await bundle(dirname(file))
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    let returned = 0
    for await (const line of createInterface(child.stdout)) {
      returned = Number(line)
      if (returned >= 20 * kill) child.kill('SIGKILL')
    }
    expect(await exited).toEqual([null, 'SIGKILL'])
    const recorded = (JSON.parse(readFileSync(file, 'utf8')) as { exchanges: unknown[] }).exchanges.length
    // The last write may have ended after the last number was written.
    expect(recorded === returned || recorded === returned + 1).toBe(true)
    const lm = replayLM(file)
    for (let number = 1; number <= recorded; number++)
      expect((await lm.generate(ask(`Request ${number}`))).text).toBe(`Request ${number}`.repeat(100))
    lm.assertDone()
  }
})
