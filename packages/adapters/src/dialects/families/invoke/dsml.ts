/** Defines dialects with DeepSeek's `｜DSML｜` tags. They differ only in the name of the tag around the calls. */
import * as CONTROL_TOKENS from '../../define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from '../../define/define-dialect.ts'
import type { Dialect } from '../../define/dialect.ts'
import { DEEPSEEK_ENDS, DEEPSEEK_OUTPUTS } from '../named-json/deepseek-markers.ts'
import { inventedResult } from '../results/invented-result.ts'
import { invokeFormat, parameterTag } from './invoke-format.ts'
import { isObject, markersInValues, readParametersOf } from './invoke-parameters.ts'
import { invokeBlock } from './invoke-tags.ts'

/** Spellings of the marker. The models were trained on the first; the others occur in practice. */
const MARKERS = ['｜DSML｜', '｜｜DSML｜｜', '‖DSML‖', '|DSML|', '||DSML||']
const TAGS = MARKERS.map((marker) => ({ open: `<${marker}`, close: `</${marker}` }))
const TAG = { open: '<｜DSML｜', close: '</｜DSML｜' }
/** Parameter names that models use for all arguments together. */
const WRAPPERS = ['arguments', 'input']

/** Defines a dialect of this family. `block` is the name of the tag around the calls. */
export function defineDsml(name: string, block: string, models: readonly RegExp[]): Dialect {
  return lazyDialect({ name, models }, () => {
    const tags = {
      open: TAGS.map(({ open }) => `${open}${block}>`),
      close: TAGS.map(({ close }) => `${close}${block}>`),
      tags: TAGS,
    }
    return {
      controlTokens: CONTROL_TOKENS.deepseek,
      reasoning: THINK_TAGS,
      blocks: [
        invokeBlock({ ...tags, readParameters: readParametersOf(tags, { trim: 'none', isTyped: true, wrappers: WRAPPERS }) }),
        inventedResult(DEEPSEEK_OUTPUTS),
      ],
      ignored: DEEPSEEK_ENDS,
      formatCalls: invokeFormat({
        open: `${TAG.open}${block}>\n`,
        close: `${TAG.close}${block}>`,
        after: '\n',
        tag: TAG,
        line: '\n',
        ends: markersInValues(tags),
        parameter: parameterTag(TAG, 'typed'),
        isAmbiguous: isWrapped,
      }),
    }
  })
}

/** Returns true if the only argument is an object named like a wrapper. Without the tool's schema, a parser would unwrap it. */
function isWrapped(args: Readonly<Record<string, unknown>>): boolean {
  const [key, ...others] = Object.keys(args)
  if (key === undefined || others.length > 0 || !WRAPPERS.includes(key)) return false
  const value = args[key]
  return typeof value === 'string' ? isObject(value) : typeof value === 'object' && value !== null && !Array.isArray(value)
}
