/** Two actions with hooks, combined into a sequence. */
import { callTool, defineAction, sequence } from '@x/tool-core'
import * as Type from 'typebox'
import { CATALOG } from '../domains/ecommerce/catalog.ts'
import { type Feature, printer } from './feature.ts'

/** An invented exchange rate, so that the tour always prints the same. */
const EUROS_PER_DOLLAR = 0.9

export const sequenceFeature: Feature = {
  name: 'sequence',
  title: 'Combine actions with hooks into a sequence',
  packages: '@x/tool-core',
  async play(stage) {
    const show = printer(stage)
    const findPrice = defineAction({
      name: 'find_price',
      description: 'Find the price of a product in dollars',
      effect: 'read',
      args: Type.Object({ product_id: Type.String({ pattern: '^[A-Z]{3}-\\d{3}$' }) }),
      output: Type.Object({ dollars: Type.Number() }),
      hooks: {
        beforeValidate: ({ product_id }) => {
          show('hook', `beforeValidate: ${product_id} is written in capitals`)
          return { product_id: String(product_id).toUpperCase() }
        },
      },
      execute: ({ product_id }) => ({ dollars: CATALOG.find((product) => product.product_id === product_id)?.price ?? 0 }),
    })
    const convert = defineAction({
      name: 'convert',
      description: 'Convert dollars to euros',
      effect: 'read',
      args: Type.Object({ dollars: Type.Number({ exclusiveMinimum: 0 }) }),
      output: Type.Object({ euros: Type.Number() }),
      hooks: {
        afterExecute: ({ euros }) => {
          show('hook', `afterExecute: ${euros} is rounded to cents`)
          return { euros: Math.round(euros * 100) / 100 }
        },
        onError: ({ code }) => show('hook', `onError: ${code}`),
      },
      execute: ({ dollars }) => ({ euros: dollars * EUROS_PER_DOLLAR }),
    })
    const priceInEuros = sequence('price_in_euros', findPrice, convert)
    for (const product_id of ['aud-302', 'aud-999']) {
      const result = await callTool(priceInEuros, { id: 'call_1', name: priceInEuros.name, args: { product_id } })
      show('call', `${priceInEuros.name} ${JSON.stringify({ product_id })}`)
      show('result', result.ok ? JSON.stringify(result.output) : result.error.message, result.ok ? 'bold' : 'red')
      const expected = product_id === 'aud-302' ? { ok: true, euros: 80.99 } : { ok: false, euros: undefined }
      stage.findings.expect(
        `the price of ${product_id}`,
        { ok: result.ok, euros: result.ok ? result.output.euros : undefined },
        expected,
      )
    }
  },
}
