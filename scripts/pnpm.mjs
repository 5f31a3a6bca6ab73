/** Runs pnpm on a machine that has only Node and npm. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PNPM = 'pnpm@12.21.0'

/** Returns a program and arguments that run pnpm through npx. Prefers the npx beside the running Node. */
export function pnpm(args) {
  const npx = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npx-cli.js')
  return existsSync(npx) ? [process.execPath, [npx, '-y', PNPM, ...args]] : ['npx', ['-y', PNPM, ...args]]
}
