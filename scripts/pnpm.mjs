/** How to run pnpm on a machine that has nothing but Node and npm. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PNPM = 'pnpm@12.21.0'

/** A program with its arguments: pnpm through npx, which comes with Node: the one beside the running Node, where there is one. */
export function pnpm(args) {
  const npx = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npx-cli.js')
  return existsSync(npx) ? [process.execPath, [npx, '-y', PNPM, ...args]] : ['npx', ['-y', PNPM, ...args]]
}
