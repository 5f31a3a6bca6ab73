/** How a loader is run, and what it is given. */
import type { ToolMap } from '@x/tool-core'
import type { Waiting } from './waits.ts'

export interface LoaderContext {
  /**
   * Resolves other tools of the registry that asks. A loader that needs them should ask here: a circle of loaders is then told
   * with the code `circular`, where it would otherwise wait for its deadline. One attempt serves all who wait for it, so a tool
   * that two registries share is loaded with the context of the one that asked first.
   */
  resolve(...patterns: readonly string[]): Promise<ToolMap>
}

export interface LoadOptions {
  /** How long this caller waits for the loader, in milliseconds; without it, as long as it takes. */
  readonly timeoutMs?: number | undefined
  /** What the loader's context resolves by; without it there is nothing to be found. */
  readonly resolve?: Resolve | undefined
  /** The loader on whose behalf this is loaded. */
  readonly asking?: Waiting | undefined
  /** Told how long the loader took, in milliseconds, and its name, if this call was the one that began it. */
  readonly onLoaded?: ((loadMs: number, name: string) => void) | undefined
}

/** Resolves tools on behalf of a loader. */
export type Resolve = (patterns: readonly string[], asking: Waiting) => Promise<ToolMap>
