/** Where the tools of `search` lie unless told: with the corpora, at `X_CORPORA` or in the folder beside the project. */
import { join, resolve } from 'node:path'

// `src` and `dist`, where this runs from, are equally deep.
const BESIDE_PROJECT = join(import.meta.dirname, '../../../../shared/corpora')

/** The 4,076 tools of Seal-Tools. */
export function sealToolsFile({ X_CORPORA }: NodeJS.ProcessEnv = process.env): string {
  return join(resolve(X_CORPORA || BESIDE_PROJECT), 'retrieval', 'seal-tools.json')
}
