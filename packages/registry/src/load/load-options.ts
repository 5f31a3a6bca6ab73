/** The options of a loader, and the context that it receives. */
import type { ToolMap } from '@x/tool-core'
import type { Waiting } from './waits.ts'

export interface LoaderContext {
  /**
   * Resolves other tools of the registry, for a loader that depends on them. If loaders depend on each other, rejects immediately with the
   * code `circular` instead of timing out. Concurrent callers share one attempt, so a tool in two registries is loaded with the context of
   * the registry that requested it first.
   */
  resolve(...patterns: readonly string[]): Promise<ToolMap>
}

export interface LoadOptions {
  /** How long the caller waits for the loader, in milliseconds. Default: no limit. */
  readonly timeoutMs?: number | undefined
  /** Resolves tools for the loader's context. Without it, the loader can't resolve other tools. */
  readonly resolve?: Resolve | undefined
  /** The loader that requested this load. */
  readonly asking?: Waiting | undefined
  /** Called with the load time in milliseconds and the loader's name. Not called if an earlier caller started the load. */
  readonly onLoaded?: ((loadMs: number, name: string) => void) | undefined
}

/** Resolves tools on behalf of a loader. */
export type Resolve = (patterns: readonly string[], asking: Waiting) => Promise<ToolMap>
