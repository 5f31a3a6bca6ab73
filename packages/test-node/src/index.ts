/** Finds a newer Node for programs that tests start, because the tests themselves also run on Node 20. */
import { createRequire } from 'node:module'

/**
 * Returns the path of the Node that runs the tests, if it is new enough. Otherwise, returns the path of the Node that is installed with
 * this package.
 */
export function nodeOf(major: number): string {
  if (Number.parseInt(process.versions.node, 10) >= major) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/node`)
  } catch (cause) {
    throw new Error(`These tests need Node ${major}, and ${name} isn't installed. Run them on Node ${major} or newer.`, { cause })
  }
}
