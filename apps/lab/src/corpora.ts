/** The directory of the corpora: `X_CORPORA`, or by default `shared/corpora` beside the project. */
import { join, resolve } from 'node:path'

// This runs from `src` or `dist`, which have the same depth.
const BESIDE_PROJECT = join(import.meta.dirname, '../../../../shared/corpora')

export function corpusPath(folder: string): string {
  return join(resolve(process.env.X_CORPORA ?? BESIDE_PROJECT), folder)
}
