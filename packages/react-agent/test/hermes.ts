/** Hermes' dialect for tests, without the types of the other fifty: they are a fifth of what a project may cost. */
import type { Dialect } from '@x/adapters'

const DIALECTS: string = '@x/adapters/dialects'

export const { hermes } = (await import(/* @vite-ignore */ DIALECTS)) as { readonly hermes: Dialect }
