/** How to run pnpm on a machine that has nothing but Node and npm. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PNPM = 'pnpm@12.21.0'

/** Returns a program with its arguments: pnpm through the npx that comes with Node, if possible the one beside the running Node. */
export function pnpm(args) {
  const npx = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npx-cli.js')
  return existsSync(npx) ? [process.execPath, [npx, '-y', PNPM, ...args]] : ['npx', ['-y', PNPM, ...args]]
}
