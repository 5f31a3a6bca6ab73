import { defineToolFactory, tool } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { z } from 'zod'

const search = defineToolFactory({
  name: 'search',
  options: z.object({ limit: z.number() }),
  create: ({ limit }) => defineTool({ name: 'search', description: 'Searches.', args: z.object({}), execute: () => limit }),
})

tool(search, { limt: 5 })
