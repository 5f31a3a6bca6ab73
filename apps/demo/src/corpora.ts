/** The default file of `search`: in the corpora, at `X_CORPORA` or in the directory beside the project. */
import { join, resolve } from 'node:path'

// This runs from `src` or `dist`, which have the same depth.
const BESIDE_PROJECT = join(import.meta.dirname, '../../../../shared/corpora')

/** The 4,076 tools of Seal-Tools. */
export function sealToolsFile({ X_CORPORA }: NodeJS.ProcessEnv = process.env): string {
  return join(resolve(X_CORPORA || BESIDE_PROJECT), 'retrieval', 'seal-tools.json')
}
