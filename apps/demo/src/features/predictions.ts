/** Typed answers without tools: `predict`, and `chainOfThought`, which also returns the reasoning. */
import { defineSignature } from '@x/adapters'
import { chainOfThought, predict } from '@x/react-agent'
import * as Type from 'typebox'
import { type Feature, playedBy, printer } from './feature.ts'

export const predictFeature: Feature = {
  name: 'predict',
  title: 'Get one typed answer without tools',
  packages: '@x/react-agent, @x/adapters',
  async play(stage) {
    const show = printer(stage)
    const lm = playedBy(stage, [
      { text: '[[ ## stars ## ]]\nfive\n\n[[ ## topic ## ]]\nsound' },
      { text: '[[ ## stars ## ]]\n5\n\n[[ ## topic ## ]]\nsound' },
    ])
    const signature = defineSignature({
      instructions: 'Classify a review of the shop.',
      inputs: { review: Type.String() },
      outputs: { stars: Type.Integer({ minimum: 1, maximum: 5 }), topic: Type.Enum(['sound', 'price', 'delivery']) },
    })
    const inputs = { review: 'QuietSphere sounds like a concert hall.' }
    const telling = predict({ lm, signature }).stream(inputs, { signal: stage.signal })
    let repairs = 0
    for await (const event of telling) if (event.type === 'repair') repairs++
    const outputs = await telling
    show('review', inputs.review)
    show('outputs', `${JSON.stringify(outputs)}; the model first wrote "five" and was asked again`)
    stage.findings.expect('number of repairs', repairs, 1)
    stage.findings.expect('outputs of predict', outputs, { stars: 5, topic: 'sound' })
  },
}

export const chainOfThoughtFeature: Feature = {
  name: 'chainOfThought',
  title: 'Get a typed answer with its reasoning',
  packages: '@x/react-agent, @x/adapters',
  async play(stage) {
    const show = printer(stage)
    const lm = playedBy(stage, [
      { text: '[[ ## reasoning ## ]]\nTwo items at 49 dollars are 98 dollars.\n\n[[ ## total ## ]]\n98' },
    ])
    const signature = defineSignature({
      instructions: 'Compute the total of an order in dollars.',
      inputs: { order: Type.String() },
      outputs: { total: Type.Number() },
    })
    const inputs = { order: '2 SlimType keyboards at 49 dollars each' }
    const { reasoning, total } = await chainOfThought({ lm, signature })(inputs, { signal: stage.signal })
    show('order', inputs.order)
    show('thought', reasoning, 'dim')
    show('outputs', JSON.stringify({ total }))
    stage.findings.expect('the total', total, 98)
  },
}
