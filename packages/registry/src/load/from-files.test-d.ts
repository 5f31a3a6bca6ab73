import type { JsonValue, Tool } from '@x/tool-core'
import { findDrift, fingerprintTools, type ToolFingerprints } from '../audit/fingerprint.ts'
import { createRegistry } from '../create-registry.ts'
import { fromFolder } from './from-folder.ts'
import { fromGlob } from './from-glob.ts'
import type { LazyTool } from './lazy.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

// The result of a bundler's glob is accepted. Its names are known only at run time.
declare const modules: Record<string, () => Promise<unknown>>
const tools = () => fromGlob(modules)
expectType<Equal<ReturnType<typeof tools>, readonly LazyTool<string>[]>>()
const registry = () => createRegistry(fromGlob(modules))
expectType<Equal<ReturnType<typeof registry>['names'], readonly string[]>>()
void (() => fromGlob(modules, { name: (path) => (path.endsWith('.ts') ? path : undefined) }))
// @ts-expect-error These modules are already imported.
void (() => fromGlob({ './tools/search.ts': { default: 1 } }))
// @ts-expect-error A name must be a string.
void (() => fromGlob(modules, { name: () => 1 }))

const folder = () => fromFolder(new URL('./tools/', import.meta.url), { recursive: true, extensions: ['.js'] })
expectType<Equal<ReturnType<typeof folder>, Promise<readonly LazyTool<string>[]>>>()

// Fingerprints are JSON. A map of tools is not an iterable of tools.
declare const fingerprints: ToolFingerprints
const json: JsonValue = fingerprints
void json
declare const resolved: ReadonlyMap<string, Tool>
void (() => findDrift(fingerprints, resolved.values()))
// @ts-expect-error The entries of a map are not tools.
void (() => fingerprintTools(resolved))
