/** Runs before an example that asks a real model: answers in the place of its provider, so that the example runs offline. */

/** What Anthropic's API replies, one after another. */
const REPLIES = [
  [{ type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Oslo' } }],
  [{ type: 'tool_use', id: 'call_2', name: 'submit', input: { answer: 'It is 21 °C in Oslo.', celsius: 21 } }],
]

const { fetch } = globalThis
globalThis.fetch = async (url, options) => {
  if (String(url) !== 'https://api.anthropic.com/v1/messages') return fetch(url, options)
  const offered = JSON.parse(options.body).tools.map(({ name }) => name)
  const content = REPLIES.shift()
  if (!offered.includes(content[0].name)) throw new Error(`${content[0].name} is not offered, only ${offered.join(', ')}.`)
  const usage = { input_tokens: 100, output_tokens: 20 }
  return Response.json({ type: 'message', role: 'assistant', content, stop_reason: 'tool_use', usage })
}
