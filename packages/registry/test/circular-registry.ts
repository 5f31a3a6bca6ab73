/** For a test: a registry whose lazy tool's module imports this module. */

import { lazy } from '../src/load/lazy.ts'
import { createRegistry } from '../src/tool-registry.ts'

// By its address: the two are a circle on purpose, which the check of imports would refuse.
const file = new URL('./circular-tool.ts', import.meta.url).href

export const registry = createRegistry([lazy('list_names', () => import(/* @vite-ignore */ file))])
