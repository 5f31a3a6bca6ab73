/** Imports an optional package at the moment it is needed. */
import { LMError } from './errors.ts'

/** Rejects with `missing_package`, and how to install it, when it is not there. `purpose` ends the sentence "x is needed …". */
export async function importPackage<Module>(name: string, load: () => Promise<Module>, purpose: string): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw new LMError('missing_package', `The package ${name} is needed ${purpose}. Install it: npm i ${name}`, { cause })
  }
}
