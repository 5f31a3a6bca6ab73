/** The tool `list_languages`. */
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'

const CODES = [
  ...'ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it'.split(' '),
  ...'ja ka ko lt lv mk ms mt nl no pl pt ro ru sk sl sq sr sv sw ta th tr uk ur vi zh'.split(' '),
]

export default defineTool({
  name: 'list_languages',
  description: 'List the languages to translate to and from, with the name and the two-letter code of each',
  category: 'language',
  effect: 'read',
  args: Type.Object({
    query: Type.String({
      default: '',
      description: 'Names of the languages to list, e.g. "Swedish", or one code. Default: all',
    }),
  }),
  execute: ({ query }) => {
    const names = new Intl.DisplayNames(['en'], { type: 'language' })
    const words: readonly string[] = query.toLowerCase().match(/\p{L}+/gu) ?? []
    return (
      CODES.map((code) => ({ code, name: names.of(code) ?? code }))
        // A code must be the whole query, because "is", "it" and "no" are also words.
        .filter(({ code, name }) => words.length === 0 || words.includes(name.toLowerCase()) || words.join(' ') === code)
    )
  },
})
