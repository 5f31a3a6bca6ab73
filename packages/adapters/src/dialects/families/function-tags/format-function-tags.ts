/** Writes calls as `<function=NAME>` tags. Refuses calls that would be parsed differently. */
import type { WritableCall } from '../../define/definition.ts'
import type { FormatRefusal } from '../../define/dialect.ts'
import { MarkerSet } from '../../engine/marker.ts'
import { endsOfValue } from './function-tags.ts'
import { isTagName } from './tag-name.ts'

export interface FormatFunctionTagsOptions {
  /** Name of the tag around each function. */
  readonly wrapper: string
  /** True if values touch their tags, without line breaks in between. */
  readonly isInline?: boolean | undefined
}

export function formatFunctionTags(
  calls: readonly WritableCall[],
  { wrapper, isInline = false }: FormatFunctionTagsOptions,
): string | FormatRefusal {
  const ends = new MarkerSet({ end: endsOfValue(wrapper) })
  const texts: string[] = []
  for (const { name, args } of calls) {
    if (!isTagName(name))
      return refuse('invalid_name', `The tool name ${JSON.stringify(name)} cannot be written in a tag. Rename the tool.`)
    const lines = [`<${wrapper}>`, `<function=${name}>`]
    for (const [key, argument] of Object.entries(args)) {
      const where = `The argument ${JSON.stringify(key)} of "${name}"`
      if (!isTagName(key))
        return refuse('unrepresentable_value', `${where} has a name that cannot be written in a tag. Rename the parameter.`)
      const text = typeof argument === 'string' ? argument : toJson(argument, ends)
      const edge = isInline && !/^\r?\n/.test(text) ? '' : '\n'
      const value = edge + text + edge
      if (ends.find(value, 0, true) !== undefined)
        return refuse(
          'unrepresentable_value',
          `${where} contains a tag that would end the argument early. Use a dialect that writes arguments as JSON.`,
        )
      lines.push(`<parameter=${key}>${value}</parameter>`)
    }
    texts.push([...lines, '</function>', `</${wrapper}>`].join('\n'))
  }
  return texts.join('\n')
}

/** Converts a value to JSON and escapes markers in it. */
function toJson(value: unknown, markers: MarkerSet): string {
  const json = JSON.stringify(value)
  return markers.find(json, 0, true) === undefined ? json : json.replaceAll('<', '\\u003c')
}

function refuse(code: FormatRefusal['code'], message: string): FormatRefusal {
  return { ok: false, code, message }
}
