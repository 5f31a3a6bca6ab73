/** A test registry with a lazy tool whose module imports this module. */

import { lazy } from '../src/load/lazy.ts'
import { createRegistry } from '../src/tool-registry.ts'

// Imported by URL, because the import check would refuse this intended cycle.
const file = new URL('./circular-tool.ts', import.meta.url).href

export const registry = createRegistry([lazy('list_names', () => import(/* @vite-ignore */ file))])
