/** The error for an optional package that isn't installed. */
import { LMError } from './errors.ts'

/** `purpose` ends the sentence "x is needed …". Put the import itself inside `try`: bundlers then accept that the package is missing. */
export function missingPackage(name: string, purpose: string, cause: unknown): LMError {
  return new LMError('missing_package', `The package ${name} is needed ${purpose}. Install it: npm i ${name}`, { cause })
}
