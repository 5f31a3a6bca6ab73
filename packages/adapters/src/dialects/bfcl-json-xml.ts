/** The leaderboard's forms besides Python: a list of `{"function", "parameters"}`, and XML with a tag for each parameter. */
import { defineDialect } from './define-dialect.ts'
import { bareJson } from './families/bare-json.ts'
import { functionXml } from './families/function-xml.ts'
import { formatJsonBlocks } from './families/json-block.ts'

export const bfclJsonXml = defineDialect({
  name: 'bfcl_json_xml',
  reasoning: { open: '<think>', close: '</think>' },
  blocks: [functionXml, bareJson()],
  policy: { callInFence: 'call' },
  formatCalls: formatJsonBlocks({ together: 'list', nameKey: 'function', argumentsKey: 'parameters' }),
  results: 'escape-if-read',
})
