/** Tools for the tests of the registry. */
import { type Action, defineAction, defineTool, type Tool } from '@x/tool-core'
import { Type } from 'typebox'
import type { RegistryEntry } from '../src/entries.ts'
import type { Registry } from '../src/registry.ts'
import type { RegistryOptions } from '../src/registry-options.ts'
import { createRegistry as createTypedRegistry } from '../src/tool-registry.ts'

const args = Type.Object({})

/** Without typed names: those are tested in `registry.test-d.ts`, and cost there only. */
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

/** What was thrown; for a test that looks at more than one thing of it. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
