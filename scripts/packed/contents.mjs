/**
 * Checks the contents of a tarball: the fields and files of the package with publint and, if X_FULL is set, its types in each kind of module
 * resolution with attw.
 */
import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Kinds of module resolution that aren't supported. Our packages are ES modules, so they need a resolver that reads `exports`. */
const NOT_FOR = ['node10', 'node16-cjs']

export async function findWrongContents(name, tarball) {
  const data = new Uint8Array(readFileSync(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true })
  // attw takes longer than everything else here, and the examples are compiled with both kinds of resolution anyway.
  const analysis = process.env.X_FULL ? await checkPackage(createPackageFromTarballData(data)) : { types: true }
  const wrongTypes = (analysis.problems ?? []).filter(({ resolutionKind }) => !NOT_FOR.includes(resolutionKind))
  return [
    ...messages
      .filter(({ type }) => type === 'error')
      .map((message) => `${name}: ${formatMessage(message, pkg, { color: false })}`),
    ...(analysis.types
      ? wrongTypes.map((problem) => `${name}: wrong types: ${JSON.stringify({ ...problem, trace: undefined })}`)
      : [`${name} has no types.`]),
  ]
}
