/** `<TOOL>`, arguments in YAML, `</TOOL>`: a form for models without one, of the tools that were declared. */
import { defineDialect } from './define-dialect.ts'
import { formatElements } from './families/format-elements.ts'
import { holdsEndTag, toolElements, withoutTags } from './families/tool-elements.ts'
import { formatYaml, readYamlArguments } from './families/yaml-arguments.ts'
import { toResultText } from './prompt.ts'

export const yamlXml = defineDialect({
  name: 'yaml_xml',
  policy: { unreadBlock: 'text' },
  reasoning: { open: '<think>', close: '</think>' },
  blocks: [],
  blocksFor: (names) => toolElements(names, { readBody: readYamlArguments }),
  formatCalls: (calls) => formatElements(calls, formatArguments, { anyKey: true }),
  formatResult: (observation) => toResultText({ ...observation, text: withoutTags(observation.text) }),
})

function formatArguments(args: Readonly<Record<string, unknown>>, name: string): string {
  return formatYaml(args, (text) => holdsEndTag(text, name))
}
