/**
 * Call formats of the Berkeley Function Calling Leaderboard: a list of `{"function", "parameters"}`, and XML with a tag for each parameter.
 */
import { bareJson, defineDialect, formatJsonBlocks } from '@x/adapters/dialects'
import { functionXml } from './function-xml.ts'

export const bfclJsonXml = defineDialect({
  name: 'bfcl_json_xml',
  reasoning: { open: '<think>', close: '</think>' },
  blocks: [functionXml, bareJson()],
  policy: { callInFence: 'call' },
  formatCalls: formatJsonBlocks({ together: 'list', nameKey: 'function', argumentsKey: 'parameters' }),
  results: 'escape-if-read',
})
