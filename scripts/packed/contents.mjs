/**
 * Checks the contents of a tarball with publint and attw: the fields and files of the package, and its types in each kind of module
 * resolution.
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
  const analysis = await checkPackage(createPackageFromTarballData(data))
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
