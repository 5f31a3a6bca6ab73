/** Where the corpora lie: `X_CORPORA`, else the folder beside the project. */
import { join, resolve } from 'node:path'

// `src` and `dist`, where this runs from, are equally deep.
const BESIDE_PROJECT = join(import.meta.dirname, '../../../../shared/corpora')

export function corpusPath(folder: string): string {
  return join(resolve(process.env.X_CORPORA ?? BESIDE_PROJECT), folder)
}
