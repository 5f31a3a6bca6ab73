/** Finds the corpora that lie beside the project; a run without them says what it skipped. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'vitest'

const root = resolve(process.env.X_CORPORA ?? join(import.meta.dirname, '../../../../shared/corpora'))

/** The JSON of every file of a folder of the corpora; undefined when the folder is not there. */
export function readCorpus(folder: string): readonly { readonly file: string; readonly json: unknown }[] | undefined {
  const path = join(root, folder)
  if (!existsSync(path)) return undefined
  const files = readdirSync(path).filter((file) => file.endsWith('.json'))
  return files.map((file) => ({ file, json: JSON.parse(readFileSync(join(path, file), 'utf8')) as unknown }))
}

/** The JSON of one file of the corpora; undefined when it is not there. */
export function readCorpusFile(file: string): unknown {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** A suite over a corpus; without the corpus it is one skipped test that says so. */
export function describeCorpus<Corpus>(name: string, corpus: Corpus | undefined, define: (corpus: Corpus) => void): void {
  if (corpus !== undefined) describe(name, () => define(corpus))
  else it.skip(`${name}: no corpora at X_CORPORA or ../shared/corpora`, () => {})
}
