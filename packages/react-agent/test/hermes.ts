/** The Hermes dialect for tests, without the types of the other dialects, which would use a fifth of the type budget. */
import type { Dialect } from '@x/adapters'

const DIALECTS: string = '@x/adapters/dialects'

export const { hermes } = (await import(/* @vite-ignore */ DIALECTS)) as { readonly hermes: Dialect }
