import { createRegistry } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { z } from 'zod'

const args = z.object({ city: z.string(), days: z.number().default(1) })
const weather = defineTool({ name: 'get_weather', description: 'Weather.', args, execute: ({ city }) => city })
const news = defineTool({ name: 'get_news', description: 'News.', args, execute: ({ city }) => city })

await createRegistry([weather, news]).resolve('get_wether')
