/** A registry for tests. One of its lazy tools is in a module that imports this module. */

import { createRegistry } from '../src/create-registry.ts'
import { lazy } from '../src/load/lazy.ts'

// Imported by URL, because the check of imports would refuse this deliberate cycle.
const file = new URL('./circular-tool.ts', import.meta.url).href

export const registry = createRegistry([lazy('list_names', () => import(/* @vite-ignore */ file))])
