/** Runs the demo's tour and writes its output to docs/tour.md. Run `pnpm record-tour` after building the demo. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const COLUMNS = '110'

const root = resolve(import.meta.dirname, '..')
const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'apps/demo/dist/main.js')], {
  env: { PATH: process.env.PATH, COLUMNS, NO_COLOR: '1' },
  encoding: 'utf8',
})
if (status !== 0) {
  process.stderr.write(`The tour failed, so nothing was recorded.\n${stdout}${stderr}`)
  process.exit(1)
}
const page = join(root, 'docs/tour.md')
const [before, after] = readFileSync(page, 'utf8').split(/(?<=<!-- tour -->\n)[\s\S]*(?=<!-- \/tour -->)/)
if (after === undefined) throw new Error('docs/tour.md must contain both markers for the tour: <!-- tour --> … <!-- /tour -->')
writeFileSync(page, `${before}\n\`\`\`\n${stdout.trim()}\n\`\`\`\n\n${after}`)
