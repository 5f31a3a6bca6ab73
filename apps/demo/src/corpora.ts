/** Default input file of the `search` command. The corpora are in `X_CORPORA`, or else in a directory beside the project. */
import { join, resolve } from 'node:path'

// This file runs from `src` or `dist`, which have the same depth.
const BESIDE_PROJECT = join(import.meta.dirname, '../../../../shared/corpora')

/** Returns the path of the file with the 4,076 tools of Seal-Tools. */
export function sealToolsFile({ X_CORPORA }: NodeJS.ProcessEnv = process.env): string {
  return join(resolve(X_CORPORA || BESIDE_PROJECT), 'retrieval', 'seal-tools.json')
}
