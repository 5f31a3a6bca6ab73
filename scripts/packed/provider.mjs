/** Preloaded before an example that calls a real model. Replies instead of the provider, so that the example runs offline. */

const call = (name, input) => ({ type: 'tool_use', id: `call_${name}`, name, input })
const say = (text) => ({ type: 'text', text })

/** Replies to each question in the format of Anthropic's API, in order: a tool call, then the reply to its result. */
const REPLIES = {
  'How warm is it in Oslo?': [
    call('get_weather', { city: 'Oslo' }),
    call('submit', { answer: 'It is 21 °C in Oslo.', celsius: 21 }),
  ],
  'What did I order in A7?': [call('find_order', { order: 'A7' }), say('Order A7 is tea.')],
}

const { fetch } = globalThis
globalThis.fetch = async (url, options) => {
  if (String(url) !== 'https://api.anthropic.com/v1/messages') return fetch(url, options)
  const { messages, tools } = JSON.parse(options.body)
  const question = Object.keys(REPLIES).find((known) => JSON.stringify(messages[0]).includes(known))
  const content = REPLIES[question][messages.filter(({ role }) => role === 'assistant').length]
  if (content.type === 'tool_use' && !tools.some(({ name }) => name === content.name))
    throw new Error(`${content.name} is not offered.`)
  const usage = { input_tokens: 100, output_tokens: 20 }
  const stop_reason = content.type === 'text' ? 'end_turn' : 'tool_use'
  return Response.json({ type: 'message', role: 'assistant', content: [content], stop_reason, usage })
}
