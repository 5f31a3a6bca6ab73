import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'

it("prints pnpm's output as text for a package that cannot be packed", () => {
  const folder = mkdtempSync(join(tmpdir(), 'x-pkg-check-'))
  const pnpm = join(folder, 'pnpm')
  writeFileSync(
    pnpm,
    '#!/bin/sh\necho "ELIFECYCLE"\necho "@x/some has not been built completely. These files are missing: ./dist/index.d.ts." >&2\nexit 1\n',
  )
  chmodSync(pnpm, 0o755)
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
  const script = join(import.meta.dirname, 'pkg-check.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, env, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'ELIFECYCLE\n@x/some has not been built completely. These files are missing: ./dist/index.d.ts.\n',
  })
})
