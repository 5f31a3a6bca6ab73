/** Tools for the registry's tests. */
import { type Action, defineAction, defineTool, type Tool } from '@x/tool-core'
import { Type } from 'typebox'
import { createRegistry as createTypedRegistry } from '../src/create-registry.ts'
import type { RegistryEntry } from '../src/entries.ts'
import type { RegistryOptions } from '../src/registry-options.ts'
import type { Registry } from '../src/registry-types.ts'

const args = Type.Object({})

/** `createRegistry` without typed names, because they slow down type checking. `registry.test-d.ts` tests them. */
export const createRegistry: (entries: readonly RegistryEntry[], options?: RegistryOptions) => Registry = createTypedRegistry

export function toolNamed<const Name extends string>(name: Name): Tool<Name> {
  return defineTool({ name, description: 'Probe.', args, execute: () => name })
}

export function actionNamed<const Name extends string>(name: Name): Action<Name> {
  return defineAction({
    name,
    description: 'Probe.',
    args,
    output: Type.Object({ said: Type.String() }),
    execute: () => ({ said: name }),
  })
}

/** Returns the thrown value, for a test that checks several of its properties. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
