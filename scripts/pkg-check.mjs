/** Checks the contents of the package in the current directory. `npm test` runs the same check on all tarballs. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { findWrongContents } from './packed/contents.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'x-contents-'))
try {
  const problems = pack() ?? (await findWrongContents(basename(process.cwd()), join(scratch, readdirSync(scratch)[0])))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** Packs the package. If that fails, returns what pnpm printed, for example that the package isn't built. */
function pack() {
  const options = { encoding: 'utf8', shell: process.platform === 'win32' }
  const { status, error, stdout, stderr } = spawnSync('pnpm', ['pack', '--pack-destination', scratch], options)
  if (error) throw error
  return status === 0 ? undefined : [`${stdout}${stderr}`.trimEnd()]
}
