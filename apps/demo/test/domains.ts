/** All domains for tests, without the types of their tools. Those types would exceed the type budget. */
import type { DomainEntry } from '../src/domains/domain.ts'

const DOMAINS_MODULE: string = '../src/domains/index.ts'

export const { DOMAINS } = (await import(/* @vite-ignore */ DOMAINS_MODULE)) as { readonly DOMAINS: readonly DomainEntry[] }
