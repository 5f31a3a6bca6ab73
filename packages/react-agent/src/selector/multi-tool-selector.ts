/** Selects tools and their arguments for a request with one model call. Executes no tool. */
import { assertCount, assertSignal, wrongOption } from '../check-options.ts'
import type { ModuleOptions } from '../options.ts'
import { readModuleOptions } from '../predict/module-options.ts'
import { orAborted } from '../until-aborted.ts'
import type { MultiToolSelector } from './select.ts'
import type { SelectorTools } from './tool-list.ts'

/** `maxRepairs` applies to replies in the wrong format. An invalid call is rejected, and the model isn't asked again. */
export interface MultiToolSelectorOptions extends ModuleOptions {
  /** Tools to use when `select` is called without `tools`. */
  tools?: SelectorTools | undefined
  /** `native` uses function calling. `text` asks for names and arguments as text, which works with any model. Default: 'native'. */
  mode?: 'native' | 'text' | undefined
  /** Asks the model for its reasons before it selects. Default: true. */
  reasoning?: boolean | undefined
  /**
   * Maximum number of calls. It is included in the prompt, and further calls are rejected. Default: 100, which isn't included in the
   * prompt.
   */
  maxTools?: number | undefined
}

/** Creates a function that asks a model which tools to call. Throws `invalid_options` for a missing or invalid option. */
export function multiToolSelector(options: MultiToolSelectorOptions): MultiToolSelector {
  const settings = readModuleOptions('multiToolSelector', options)
  const { mode = 'native', reasoning = true, maxTools } = options
  if (mode !== 'native' && mode !== 'text') throw wrongOption('multiToolSelector', 'mode', '"native" or "text"', mode)
  if (maxTools !== undefined) assertCount('multiToolSelector', 'maxTools', maxTools, 1)
  let select: MultiToolSelector | undefined
  return async (request, tools = options.tools, { signal } = {}) => {
    assertSignal('multiToolSelector', signal)
    const { createSelector } = await orAborted(import('../loaded-at-use.ts'), signal)
    select ??= createSelector(settings, { mode, reasoning, maxTools })
    return select(request, tools, { signal })
  }
}
