/** A tool for tests, in a module that imports the tool's own registry. */
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { registry } from './circular-registry.ts'

export default defineTool({
  name: 'list_names',
  description: 'Lists the names of the registry that it is in.',
  args: Type.Object({}),
  execute: (): readonly string[] => registry.names,
})
